import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkRowsAgainstTrail } from './rowsAgainstTrail.ts'

const product = testProduct()
const findings = async () => (await checkRowsAgainstTrail(product.context.db)).findings
const change = (statements: string) => tamper(product.database, statements)

let first: Person
let second: Person
/** Two super admins agree. */
const agree = async (payload: object): Promise<string> => {
  const asked = await product.call(askProposal, {
    token: first.token,
    payload: { reason: 'A test', ...payload },
  })
  expect(asked.status).toBe(200)
  const params = { id: asked.body.id }
  expect((await product.call(approveProposal, { token: second.token, params })).status).toBe(200)
  return asked.body.id
}

const address = newAddress('Ethereum')
beforeAll(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
  // People may write a network in their own way.
  await agree({ kind: 'OWN_ADDRESS', networkName: 'ethereum', address, class: 'COLD' })
  for (const amount of ['1.5', '-0.000000000000000001']) {
    const opening = { networkName: 'ethereum', asset: 'ETH', account: 'cold', amount }
    await agree({ kind: 'OPENING', ...opening })
  }
})

test('acts of custody by two people are explained', async () => {
  expect(await findings()).toEqual([])
})

test.each([
  [
    'an exchanged own address',
    `UPDATE own_addresses SET address = 'mine'`,
    'The own address mine on Ethereum has no entries of two people.',
    `UPDATE own_addresses SET address = '${address}'`,
  ],
  [
    'an own address of another class',
    `UPDATE own_addresses SET class = 'PAYER'`,
    /^The own address \w+ on Ethereum has no entries/,
    `UPDATE own_addresses SET class = 'COLD'`,
  ],
  [
    'a larger opening balance',
    `UPDATE coin_movements SET units = units + 1 WHERE from_account = 'opening'`,
    /^The opening balance .* of ETH on Ethereum has no entries/,
    `UPDATE coin_movements SET units = units - 1 WHERE from_account = 'opening'`,
  ],
  [
    'an opening balance the other way',
    `UPDATE coin_movements SET from_account = 'opening', to_account = 'cold' WHERE to_account = 'opening'`,
    /^The opening balance .* of ETH on Ethereum has no entries/,
    `UPDATE coin_movements SET from_account = 'cold', to_account = 'opening' WHERE units = 1`,
  ],
  [
    'an accepted break',
    `INSERT INTO accepted_breaks (proposal_id, reconciliation_id, network_name, asset, units)
     SELECT id, gen_random_uuid(), 'Ethereum', 'ETH', -5 FROM proposals LIMIT 1`,
    'The accepted break of ETH on Ethereum has no entries of two people.',
    'DELETE FROM accepted_breaks',
  ],
  [
    'settled coins',
    `INSERT INTO coin_movements (id, network_name, transaction_id, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, height)
     VALUES (gen_random_uuid(), 'Ethereum', '0xgone', 'ETH', 18, 'SETTLED', 'unexplained', 'settled', 5, 'SETTLEMENT', gen_random_uuid(), 0, 1)`,
    'The settling of the coins of 0xgone on Ethereum has no entries of two people.',
    `DELETE FROM coin_movements WHERE cause = 'SETTLEMENT'`,
  ],
])('%s by SQL alone is named', async (_, forgery, sentence, undone) => {
  await change(forgery)
  expect(await findings()).toEqual([
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ])
  await change(undone)
  expect(await findings()).toEqual([])
})

test('an agreement without its act is named', async () => {
  const [own] = await product.context.db
    .selectFrom('own_addresses')
    .select(['id', 'proposal_id'])
    .execute()
  await change(`UPDATE own_addresses SET proposal_id = gen_random_uuid() WHERE id = '${own?.id}'`)
  expect(await findings()).toContain(
    `Two people agreed to the proposal ${own?.proposal_id} (OWN_ADDRESS), but its act is missing.`,
  )
  await change(
    `UPDATE own_addresses SET proposal_id = '${own?.proposal_id}' WHERE id = '${own?.id}'`,
  )
  expect(await findings()).toEqual([])
})

test('entries of one person explain nothing', async () => {
  await change(
    `UPDATE audit_entries SET actor_id = '${first.id}' WHERE action = 'agreement.approved' AND after ->> 'kind' = 'OWN_ADDRESS'`,
  )
  expect(await findings()).toHaveLength(1)
})
