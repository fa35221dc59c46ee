// The idle clock of a signed-in user on the landing page, which carries no React. Other pages have
// session/idle.ts. Both share one moment of last activity.
;(() => {
  const passive = ['mousemove', 'scroll', 'focus']
  const keys = ['token', 'username', 'userId', 'userRole']
  const token = () => localStorage.getItem('token')

  /** Logs out here and on the server. `why` is for the sign-in page. */
  const leave = (path, why) => {
    const headers = { accept: 'application/json', authorization: `Bearer ${token()}` }
    fetch(path, { method: 'POST', headers, keepalive: true, credentials: 'omit' }).catch(() => {})
    for (const key of keys) localStorage.removeItem(key)
    delete document.documentElement.dataset.as
    if (why) sessionStorage.setItem('ending', JSON.stringify({ why, said: '' }))
  }

  let running = new AbortController()
  const start = () => {
    running.abort()
    const notice = document.querySelector('[data-idle]')
    if (!notice || !token()) return
    const { logoutAfter, warnFor, events, logout } = JSON.parse(notice.dataset.idle)
    const sentence = notice.querySelector('[data-sentence]')
    const channel = new BroadcastChannel('idle-clock')
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
      if (!notice.isConnected || !token()) return end()
      if (left() <= 0) return end('idle')
      notice.hidden = left() > warnFor
      const text = sentence.dataset.sentence.replace('{seconds}', Math.ceil(left() / 1000))
      if (sentence.textContent !== text) sentence.textContent = text
    }
    const beActive = () => {
      last = Date.now()
      if (last - announced >= 1000) {
        announced = last
        channel.postMessage(last)
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
    channel.onmessage = ({ data }) => {
      if (data > last) last = Math.min(data, Date.now())
      look()
    }
    for (const type of events)
      addEventListener(type, onEvent, { capture: true, passive: true, signal })
    document.addEventListener('visibilitychange', look, { signal })
    const timer = setInterval(look, 1000)
    signal.addEventListener('abort', () => {
      clearInterval(timer)
      channel.close()
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
