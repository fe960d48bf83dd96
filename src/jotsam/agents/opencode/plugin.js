// Written by `jotsam install`, removed by `jotsam agents uninstall opencode`.
//
// Plugin of Jotsam for opencode. It hands what was said to `jotsam hook --harness opencode`, as the events that Claude
// Code sends, and puts what memory has for a prompt into the system prompt.
//
// It throws nothing, and the only thing that it waits for is memory, for at most WAIT_MS. An event is handed over as an
// open file, so it is complete even if opencode ends at the same moment.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const [PROGRAM, ...WORDS] = ["LAUNCHER"] // `jotsam install opencode` writes here what starts it.
const WAIT_MS = 2000
const MAX_PARTS = 10000

/** Start a hook with one event. Returns a promise of what it prints, "" if it fails. */
function hook(event, folder, { reads = false } = {}) {
  const path = join(tmpdir(), `jotsam-${randomUUID()}`)
  let input
  try {
    writeFileSync(path, JSON.stringify({ ...event, cwd: folder }), { mode: 0o600, flag: "wx" })
    input = openSync(path, "r")
    const child = spawn(PROGRAM, [...WORDS, "hook", "--harness", "opencode"], {
      cwd: folder,
      detached: true, // It may outlive opencode.
      stdio: [input, reads ? "pipe" : "ignore", "ignore"],
      windowsHide: true,
    })
    child.unref()
    return new Promise((resolve) => {
      let printed = ""
      child.on("error", () => resolve(""))
      child.on("close", () => resolve(printed))
      child.stdout?.on("data", (data) => (printed += data))
    })
  } catch {
    return Promise.resolve("")
  } finally {
    try {
      if (input !== undefined) closeSync(input)
      unlinkSync(path)
    } catch {}
  }
}

/** What a promise gives, or "" after WAIT_MS. */
function inTime(promise) {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve(""), WAIT_MS)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The same function, which returns nothing instead of throwing. */
const quiet = (call) => async (...values) => {
  try {
    return await call(...values)
  } catch {}
}

export const Jotsam = async ({ directory }) => {
  const briefs = new Map() // by session: what memory gives at its start
  const found = new Map() // by session: what memory gives for its last prompt
  const answers = new Map() // by assistant message: the prompt that it answers, and whether it is a summary
  const subagents = new Map() // by session of a subagent: the session that started it, its name, what it said last
  const sent = new Set() // text parts that were handed over

  function said(part) {
    const answer = answers.get(part.messageID)
    if (part.type !== "text" || !part.time?.end || part.synthetic || !answer || sent.has(part.id)) return
    if (sent.size >= MAX_PARTS) sent.clear()
    sent.add(part.id)
    const subagent = subagents.get(part.sessionID)
    if (subagent) {
      Object.assign(subagent, { text: part.text, prompt: answer.prompt, name: answer.agent ?? subagent.name })
      return
    }
    const event = { session_id: part.sessionID, prompt_id: answer.prompt, timestamp: part.time.end }
    const more = answer.summary
      ? { hook_event_name: "PostCompact", compact_summary: part.text }
      : { hook_event_name: "Stop", last_assistant_message: part.text }
    hook({ ...event, ...more }, directory)
  }

  const events = {
    "session.created": ({ info }) => {
      if (info.parentID) subagents.set(info.id, { parent: info.parentID, name: info.agent ?? "subagent", text: "" })
    },
    "message.updated": ({ info }) => {
      if (info.role !== "assistant") return
      answers.set(info.id, { prompt: info.parentID, summary: info.summary === true, agent: info.agent })
    },
    "message.part.updated": ({ part }) => said(part),
    "session.idle": ({ sessionID }) => {
      const { parent, name, text, prompt } = subagents.get(sessionID) ?? {}
      if (!text) return
      subagents.get(sessionID).text = ""
      const event = { hook_event_name: "SubagentStop", session_id: parent, prompt_id: prompt }
      hook({ ...event, agent_id: sessionID, agent_type: name, last_assistant_message: text }, directory)
    },
  }

  return {
    event: quiet(async ({ event }) => events[event.type]?.(event.properties)),

    "chat.message": quiet(async ({ sessionID }, { message, parts }) => {
      if (subagents.has(sessionID)) return // The agent wrote this prompt.
      const text = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      const event = { session_id: sessionID, timestamp: message.time?.created }
      if (!briefs.has(sessionID)) {
        briefs.set(sessionID, hook({ ...event, hook_event_name: "SessionStart" }, directory, { reads: true }))
      }
      const prompt = { ...event, hook_event_name: "UserPromptSubmit", prompt_id: message.id, prompt: text }
      // After the brief, so that the prompt is not given the same again.
      found.set(sessionID, briefs.get(sessionID).then(() => hook(prompt, directory, { reads: true })))
    }),

    "experimental.chat.system.transform": quiet(async ({ sessionID }, { system }) => {
      for (const promise of [briefs.get(sessionID), found.get(sessionID)]) {
        const context = promise && (await inTime(promise))
        if (context) system.push(context)
      }
    }),
  }
}
