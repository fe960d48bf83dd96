// A page in a folder must not start a worker, with which the site searches. There, a hidden frame takes its place.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...urls) => Promise.all(urls.map((one) => load(frame, one)))
      this.inside = inside
      this.ready = load(frame, url)
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
  }

  function load(frame, url) {
    return new Promise((resolve, reject) => {
      const script = frame.contentDocument.createElement("script")
      Object.assign(script, { src: url, onload: resolve, onerror: reject })
      frame.contentDocument.body.append(script)
    })
  }
}
