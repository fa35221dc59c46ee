// The idle clock of a signed-in user on the landing page, which carries no React. Other pages have
// session/idle.ts. Both share one moment of last activity.
;(() => {
  // Long: a script of one page, in a scope of its own without modules.
  const passive = ['mousemove', 'scroll', 'focus']
  const keys = ['token', 'username', 'userId', 'userRole']
  const page = document.documentElement
  // Where the browser stores nothing, only the page itself knows its session (storage.ts).
  const isIn = () => {
    try {
      return localStorage.getItem('token') !== null
    } catch {
      return page.dataset.as !== undefined
    }
  }

  /** Logs out here and on the server. `why` is for the sign-in page. */
  const leave = (path, why) => {
    try {
      const authorization = `Bearer ${localStorage.getItem('token')}`
      const headers = { accept: 'application/json', authorization }
      fetch(path, { method: 'POST', headers, keepalive: true, credentials: 'omit' }).catch(() => {})
      for (const key of keys) localStorage.removeItem(key)
      delete page.dataset.as
      if (why) sessionStorage.setItem('ending', JSON.stringify({ why, said: '' }))
      else sessionStorage.removeItem('ending')
    } catch {
      // A session that only the page knows ends with it.
      location.reload()
    }
  }

  /** Shares moments with other tabs, as session/otherTabs.ts. */
  const otherTabs = (hear, signal) => {
    try {
      const channel = new BroadcastChannel('idle-clock')
      channel.onmessage = ({ data }) => hear(data)
      signal.addEventListener('abort', () => channel.close())
      return (moment) => channel.postMessage(moment)
    } catch {
      const onStorage = ({ key, newValue }) => key === 'idle-clock' && hear(Number(newValue))
      addEventListener('storage', onStorage, { signal })
      return (moment) => {
        try {
          localStorage.setItem('idle-clock', moment)
        } catch {}
      }
    }
  }

  let running = new AbortController()
  const start = () => {
    running.abort()
    const notice = document.querySelector('[data-idle]')
    if (!notice || !isIn()) return
    const { logoutAfter, warnFor, events, logout } = JSON.parse(notice.dataset.idle)
    const sentence = notice.querySelector('[data-sentence]')
    running = new AbortController()
    const { signal } = running
    let last = Date.now()
    let announced = 0
    const left = () => logoutAfter - (Date.now() - last)
    const end = (why) => {
      running.abort()
      if (why) leave(logout, why === 'wish' ? undefined : why)
    }
    const look = () => {
      if (!notice.isConnected || !isIn()) return end()
      if (left() <= 0) return end('idle')
      notice.hidden = left() > warnFor
      const text = sentence.dataset.sentence.replace('{seconds}', Math.ceil(left() / 1000))
      if (sentence.textContent !== text) sentence.textContent = text
    }
    const beActive = () => {
      last = Date.now()
      if (last - announced >= 1000) {
        announced = last
        tell(last)
      }
      look()
    }
    const onEvent = ({ type, target }) => {
      const act = type === 'click' && target.closest?.('[data-idle-act]')?.dataset.idleAct
      if (act === 'logout') return end('wish')
      if (left() <= 0) return look()
      const ignored = passive.includes(type) || target.closest?.('[data-idle]')
      if (notice.hidden || act || !ignored) beActive()
    }
    const tell = otherTabs((moment) => {
      if (moment > last) last = Math.min(moment, Date.now())
      look()
    }, signal)
    for (const type of events)
      addEventListener(type, onEvent, { capture: true, passive: true, signal })
    document.addEventListener('visibilitychange', look, { signal })
    const timer = setInterval(look, 1000)
    signal.addEventListener('abort', () => {
      clearInterval(timer)
      notice.hidden = true
    })
    beActive()
  }
  const tryStart = () => {
    try {
      start()
    } catch {}
  }
  addEventListener('idle', tryStart)
  addEventListener('DOMContentLoaded', tryStart)
})()
