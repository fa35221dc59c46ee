import { find, readFacts, send } from './shared.js'

const form = find('form')
const { address, coin } = form.elements

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

const compare = find('#compare')
compare.addEventListener('click', () => send('/compare', {}, compare))

const { product, signer, chains = [] } = (await readFacts()) ?? {}
if (product) find('#pool').href = product
if (signer) find('#signer').href = signer
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
