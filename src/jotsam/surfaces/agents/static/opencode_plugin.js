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
    if (!sessions.has(id)) {
      sessions.set(id, {
        brief: "",
        recalled: "",
        prompt: "", // id of the last message of the user
        answers: new Set(), // ids of messages of the assistant
        texts: new Map(), // by message, the text of each of its parts
        child: null, // whether it is the session of a subagent
        sending: Promise.resolve(""), // the hooks of a session run one by one
      })
    }
    return sessions.get(id)
  }

  const send = (name, id, fields = {}) => {
    const state = session(id)
    const event = { hook_event_name: name, session_id: id, cwd: directory, timestamp: Date.now(), ...fields }
    state.sending = state.sending.then(() => hook(event)).catch(() => "")
    return state.sending
  }

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

  // An answer is stored when its message is complete, so also what is said before a tool is called.
  const answered = async (id, message, isSummary) => {
    const state = session(id)
    const parts = state.texts.get(message)
    const text = parts ? [...parts.values()].join("\n").trim() : ""
    state.texts.delete(message)
    if (!text || (await isChild(id, state))) return
    if (isSummary) await send("PostCompact", id, { compact_summary: text })
    else await send("Stop", id, { last_assistant_message: text, prompt_id: state.prompt })
  }

  return {
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const state = session(id)
      if (await isChild(id, state)) return
      if (!state.started) state.started = send("SessionStart", id, { source: "startup" })
      state.brief = await state.started
      const text = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      state.prompt = (output.message && output.message.id) || input.messageID || ""
      state.recalled = ""
      if (text.length) {
        state.recalled = await send("UserPromptSubmit", id, { prompt: text.join("\n"), prompt_id: state.prompt })
      }
    },

    event: async ({ event }) => {
      const fields = event.properties || {}
      const { part, info, sessionID } = fields
      if (event.type === "message.part.updated" && part && part.type === "text" && !part.synthetic) {
        const { texts, prompt } = session(part.sessionID)
        if (part.messageID === prompt) return
        if (!texts.has(part.messageID)) texts.set(part.messageID, new Map())
        texts.get(part.messageID).set(part.id, part.text)
      } else if (event.type === "message.updated" && info && info.role === "assistant") {
        session(info.sessionID).answers.add(info.id)
        if (info.time && info.time.completed) await answered(info.sessionID, info.id, Boolean(info.summary))
      } else if (event.type === "session.idle" && sessions.has(sessionID)) {
        const { answers, texts } = session(sessionID)
        for (const message of [...texts.keys()]) if (answers.has(message)) await answered(sessionID, message, false)
        await session(sessionID).sending
      } else if (event.type === "session.deleted" && info) {
        sessions.delete(info.id)
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
