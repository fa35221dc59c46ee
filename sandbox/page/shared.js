export const find = (selector) => document.querySelector(selector)

/** Adds a line to what happened. */
export const log = (text) => {
  find('#nothing').hidden = true
  const line = document.createElement('li')
  line.textContent = text
  find('#log').prepend(line)
}

/**
 * Sends what was asked, once at a time for a button. Logs the sentence that came of it, and returns
 * the whole answer, undefined without one.
 */
export const send = async (path, body, button) => {
  if (button?.ariaBusy === 'true') return undefined
  if (button) button.ariaBusy = 'true'
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (answer.text) log(answer.text)
    return answer
  } catch {
    log('The sandbox has stopped. Start it again, and load this page again.')
    return undefined
  } finally {
    if (button) button.ariaBusy = 'false'
  }
}

/** The page's facts. Undefined without an answer, which is logged. */
export const readFacts = () =>
  fetch('/facts').then(
    (answer) => answer.json(),
    () => log('The sandbox did not answer. Load this page again.'),
  )
