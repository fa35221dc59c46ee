import { find, log, readFacts, send } from '../../page/shared.js'

const file = find('#file')
const form = find('form')

const made = (tag, text) => {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

const show = (read) => {
  find('#read').hidden = read === undefined
  if (!read) return
  find('#from').textContent = `A ${read.kind} for ${read.network}. It pays from ${read.from}.`
  find('#payments').replaceChildren(
    ...read.payments.map(({ address, amount, coin, isOwn }) => {
      const row = document.createElement('tr')
      row.append(
        made('td', isOwn ? `${address} (change, to the signer itself)` : address),
        made('td', `${amount} ${coin}`),
      )
      return row
    }),
  )
  find('#fee').textContent = read.fee ? `Fee: ${read.fee}.` : 'The network decides the fee.'
  const faults = read.faults.map((fault) => `Not to be signed: ${fault}`)
  find('#notes').replaceChildren(...[...faults, ...read.notes].map((each) => made('li', each)))
}

let asked = 0
/** Shows what the text in the field pays. */
const readText = async () => {
  asked += 1
  const own = asked
  show(undefined)
  if (file.value.trim() === '') return
  const answer = await send('/read', { file: file.value })
  // A later text counts.
  if (own === asked) show(answer?.read)
}

const take = async (chosen) => {
  if (!chosen) return
  file.value = await chosen.text()
  await readText()
}

file.addEventListener('input', readText)
find('#chosen').addEventListener('change', ({ target }) => take(target.files[0]))
find('#drop').addEventListener('dragover', (event) => event.preventDefault())
find('#drop').addEventListener('drop', (event) => {
  const [dropped] = event.dataTransfer.files
  // A dropped text goes into the field by itself.
  if (!dropped) return
  event.preventDefault()
  take(dropped)
})
find('#sign').addEventListener('click', ({ target }) => send('/send', { file: file.value }, target))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  send('/by-hand', Object.fromEntries(new FormData(form)), form.querySelector('button'))
})

const NAMES = {
  bitcoin: 'Bitcoin, account key that the pool watches',
  key: 'Ethereum, account key that the pool watches',
  payer: 'Ethereum, plain key that pays',
  safe: 'Ethereum, Safe that pays',
}
const { product, coinsPage, coins = [], keys } = (await readFacts()) ?? {}
if (product) find('#pool').href = product
if (coinsPage) find('#coins').href = coinsPage
for (const symbol of coins) form.elements.coin.add(new Option(symbol))
for (const [name, value] of Object.entries({ bitcoin: keys?.bitcoin, ...keys?.evm }))
  if (NAMES[name] && value) find('#keys').append(made('dt', NAMES[name]), made('dd', value))
if (coins.length === 0) log('There is no play chain that the signer knows.')
