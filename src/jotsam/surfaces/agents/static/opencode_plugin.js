// Written by `jotsam install`, removed by `jotsam uninstall opencode`.
// Runs `jotsam hook` with events like those of Claude Code. Its output is added to the system prompt. An error is
// ignored: a memory must never stop opencode.
import { spawn } from "node:child_process"

const LAUNCHER = "LAUNCHER"
const TIMEOUT_MS = 10_000

function hook(event) {
  return new Promise((resolve) => {
    let output = ""
    try {
      const child = spawn(LAUNCHER, ["hook", "--harness", "opencode"], {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: TIMEOUT_MS,
      })
      child.on("error", () => resolve(""))
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (text) => (output += text))
      child.on("close", () => resolve(output.trim()))
      child.stdin.end(JSON.stringify(event))
    } catch {
      resolve("")
    }
  })
}

export const Jotsam = async ({ client, directory }) => {
  const sessions = new Map() // what is known of each session of this process

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, { brief: "", recalled: "", prompt: "", parts: new Map(), child: null })
    return sessions.get(id)
  }

  const send = (name, id, fields = {}) =>
    hook({ hook_event_name: name, session_id: id, cwd: directory, ...fields }).catch(() => "")

  const isChild = async (id, state) => {
    if (state.child === null) {
      try {
        const found = await client.session.get({ path: { id } })
        state.child = Boolean(found.data && found.data.parentID)
      } catch {
        state.child = false
      }
    }
    return state.child
  }

  const started = async (id, source) => {
    const state = session(id)
    if (!state.started) state.started = send("SessionStart", id, { source })
    state.brief = await state.started
    return state
  }

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const state = await started(id, "startup")
      if (await isChild(id, state)) return
      const text = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      state.prompt = (output.message && output.message.id) || input.messageID || ""
      state.parts = new Map()
      if (text.length) state.recalled = await send("UserPromptSubmit", id, { prompt: text.join("\n"), prompt_id: state.prompt })
    },

    event: async ({ event }) => {
      const fields = event.properties || {}
      if (event.type === "message.part.updated" && fields.part && fields.part.type === "text") {
        const { sessionID, messageID, id, text } = fields.part
        const state = session(sessionID)
        if (messageID !== state.prompt) state.parts.set(id, { message: messageID, text })
      } else if (event.type === "session.idle") {
        const id = fields.sessionID
        const state = session(id)
        const parts = [...state.parts.values()]
        const last = parts.length ? parts[parts.length - 1].message : ""
        const text = parts.filter((part) => part.message === last).map((part) => part.text).join("\n")
        state.parts = new Map()
        if (text && !(await isChild(id, state))) {
          await send("Stop", id, { last_assistant_message: text, prompt_id: state.prompt })
        }
      } else if (event.type === "session.deleted" && fields.info) {
        sessions.delete(fields.info.id)
      }
    },

    "experimental.chat.system.transform": async (input, output) => {
      const state = input && input.sessionID ? sessions.get(input.sessionID) : [...sessions.values()].pop()
      if (!state || !output || !output.system) return
      for (const text of [state.brief, state.recalled]) if (text) output.system.push(text)
    },

    "experimental.session.compacting": async (input) => {
      if (input && input.sessionID) await send("PreCompact", input.sessionID, { trigger: "auto" })
    },
  }
}
