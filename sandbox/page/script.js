const find = (selector) => document.querySelector(selector)
const form = find('form')
const { address, coin } = form.elements

const log = (text) => {
  find('#nothing').hidden = true
  const line = document.createElement('li')
  line.textContent = text
  find('#log').prepend(line)
}

/** Sends what was asked, once at a time, and logs what came of it. */
const send = async (path, body, button) => {
  if (button.ariaBusy === 'true') return
  button.ariaBusy = 'true'
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    log((await answer.json()).text)
  } catch {
    log('The sandbox has stopped. Start it again, and load this page again.')
  } finally {
    button.ariaBusy = 'false'
  }
}

const buttonFor = (text, path, network) => {
  const button = document.createElement('button')
  button.textContent = text
  button.addEventListener('click', () => send(path, { network }, button))
  return button
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  send('/pay', Object.fromEntries(new FormData(form)), form.querySelector('button'))
})

const offered = await fetch('/chains').then(
  (answer) => answer.json(),
  () => log('The sandbox did not answer. Load this page again.'),
)
const { product, chains = [] } = offered ?? {}
if (product) find('#pool').href = product
const networkOf = new Map()
for (const { network, coins, takesBack } of chains) {
  for (const symbol of coins) {
    coin.add(new Option(symbol))
    networkOf.set(symbol, network)
  }
  find('#blocks').append(buttonFor(`Add a block to ${network}`, '/mine', network))
  if (takesBack)
    find('#blocks').append(
      buttonFor(`Take back the newest block of ${network}`, '/take-back', network),
    )
}
const networkIn = (text) => {
  if (text.startsWith('bc1')) return 'Bitcoin'
  return text.startsWith('0x') ? 'Ethereum' : 'Solana'
}
// An address of another network cannot mean the chosen coin.
address.addEventListener('input', () => {
  const network = networkIn(address.value.trim())
  if (networkOf.get(coin.value) === network) return
  const fitting = [...coin.options].find(({ value }) => networkOf.get(value) === network)
  if (fitting) coin.value = fitting.value
})
