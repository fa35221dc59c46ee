import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Alarm, type Batch, explain, type Live, type OnChain, type Payout } from './explain.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes))

const payoutTo = (
  position: number,
  receiver: string,
  units: bigint,
  more: object = {},
): Payout => ({
  position,
  receiver,
  units,
  transaction: null,
  output: null,
  isFreed: false,
  order: {
    id: `of ${receiver}`,
    status: 'APPROVED',
    isCompletedByProduct: false,
    markedAs: null,
  },
  ...more,
})
const batchOf = (more: Partial<Batch> = {}): Batch => ({
  id: 'batch',
  state: 'READY',
  asset: 'BTC',
  payer: null,
  madeAt: at(0),
  isLate: false,
  isAtOnce: false,
  inputs: new Set(['coin:0']),
  payouts: [payoutTo(0, 'ada', 100n), payoutTo(1, 'bob', 200n)],
  ...more,
})
const spendingOf = (sent: readonly [string | null, bigint][], more: Partial<Live> = {}): Live => ({
  id: 'spending',
  transaction: 'tx',
  isConfirmed: false,
  seenAt: at(5),
  isSettled: false,
  inputs: ['coin:0'],
  payers: new Set(['us']),
  sent: sent.map(([receiver, units], output) => ({ output, receiver, units, asset: 'BTC' })),
  ...more,
})
const show = (more: Partial<OnChain>): OnChain => ({
  spendings: [],
  batches: [batchOf()],
  marks: [],
  isOurs: (each) => each === 'us',
  ...more,
})
const alarmsOf = (shown: OnChain) =>
  explain(shown).alarms.map(({ kind, position }: Alarm) =>
    position === null ? kind : `${kind} ${position}`,
  )
const evm = { inputs: [], payers: new Set(['payer']) }
const safe = (more: Partial<Batch> = {}) =>
  batchOf({ payer: 'payer', inputs: new Set<string>(), ...more })

describe('a spending is explained', () => {
  test('by its outputs, with change to ourselves', () => {
    const spending = spendingOf([
      ['bob', 200n],
      ['us', 50n],
      ['ada', 100n],
    ])
    const batch = batchOf()
    const {
      batchOf: found,
      paidBy,
      alarms,
    } = explain(show({ spendings: [spending], batches: [batch] }))
    expect(alarms).toEqual([])
    expect(found.get(spending)).toBe(batch)
    expect(batch.payouts.map((payout) => paidBy.get(payout)?.output)).toEqual([2, 0])
  })

  test('by no output that is marked for another withdrawal', () => {
    const batch = safe({ payouts: [payoutTo(0, 'ada', 100n)] })
    const spendings = [spendingOf([['ada', 100n]], evm)]
    const mark = { transaction: 'tx', receiver: 'ada' }
    const marks = [{ ...mark, withdrawalId: 'another', output: 0 }]
    const { paidBy, alarms } = explain(show({ spendings, batches: [batch], marks }))
    expect([paidBy.size, alarms]).toEqual([0, []])
    const own = [{ ...mark, withdrawalId: 'of ada', output: 0 }]
    expect(explain(show({ spendings, batches: [batch], marks: own })).paidBy.size).toBe(1)
  })

  test('by several transactions of a plain key', () => {
    const first = spendingOf([['ada', 100n]], evm)
    const second = spendingOf([['bob', 200n]], { ...evm, id: 'other', transaction: 'tx2' })
    expect(alarmsOf(show({ spendings: [first, second], batches: [safe()] }))).toEqual([])
  })

  test('by a payment with a higher fee', () => {
    const sent: [string, bigint][] = [
      ['ada', 100n],
      ['bob', 200n],
      ['us', 40n],
    ]
    const payouts = [
      payoutTo(0, 'ada', 100n, { transaction: 'gone', output: 0 }),
      payoutTo(1, 'bob', 200n, { transaction: 'gone', output: 1 }),
    ]
    const batch = batchOf({ payouts })
    const { paidBy, alarms } = explain(show({ spendings: [spendingOf(sent)], batches: [batch] }))
    expect(alarms).toEqual([])
    expect(payouts.map((each) => paidBy.get(each)?.spending.transaction)).toEqual(['tx', 'tx'])
  })

  test('as a move between addresses of ours', () => {
    const spending = spendingOf([['us', 10n]], { inputs: ['else:1'] })
    expect(alarmsOf(show({ spendings: [spending] }))).toEqual([])
  })

  test('by the payment that staff marked', () => {
    const spending = spendingOf([['eve', 10n]], { inputs: ['else:1'] })
    const mark = { withdrawalId: 'another', transaction: 'tx', output: 0, receiver: 'eve' }
    expect(alarmsOf(show({ spendings: [spending], marks: [mark] }))).toEqual([])
    expect(alarmsOf(show({ spendings: [spending], marks: [{ ...mark, output: 3 }] }))).toEqual([
      'UNEXPLAINED',
    ])
  })

  test('by one batch where two pay the same', () => {
    const [first, second] = [safe(), safe({ id: 'later', madeAt: at(1) })]
    const spending = spendingOf(
      [
        ['ada', 100n],
        ['bob', 200n],
      ],
      evm,
    )
    const { paidBy } = explain(show({ spendings: [spending], batches: [second, first] }))
    expect(first.payouts.every((payout) => paidBy.has(payout))).toBe(true)
    expect(second.payouts.some((payout) => paidBy.has(payout))).toBe(false)
  })
})

describe('a wrong way is named', () => {
  test('for less and more than the batch pays', () => {
    const spendings = [
      spendingOf([
        ['ada', 99n],
        ['bob', 201n],
        ['us', 1n],
      ]),
    ]
    expect(alarmsOf(show({ spendings }))).toEqual(['SHORT 0', 'MORE 1', 'UNEXPLAINED'])
    const byKey = [spendingOf([['ada', 99n]], evm)]
    expect(alarmsOf(show({ spendings: byKey, batches: [safe()] }))).toEqual(['SHORT 0'])
  })

  test('for a second payment of the same', () => {
    const sent: [string, bigint][] = [
      ['ada', 100n],
      ['bob', 200n],
    ]
    const first = spendingOf(sent, evm)
    const second = spendingOf([['bob', 200n]], { ...evm, id: 'b', transaction: 'b', seenAt: at(9) })
    expect(alarmsOf(show({ spendings: [second, first], batches: [safe()] }))).toEqual([
      'TWICE 1',
      'UNEXPLAINED',
    ])
  })

  test('for the payment of a withdrawal marked otherwise', () => {
    const order = {
      id: 'w',
      status: 'PROCESSING',
      isCompletedByProduct: false,
      markedAs: 'hand',
    }
    const payouts = [payoutTo(0, 'ada', 100n, { order })]
    const spendings = [spendingOf([['ada', 100n]])]
    expect(alarmsOf(show({ spendings, batches: [batchOf({ payouts })] }))).toEqual([
      'TWICE 0',
      'UNEXPLAINED',
    ])
  })

  test('for another payee of the coins of a batch', () => {
    const spendings = [
      spendingOf([
        ['ada', 100n],
        ['eve', 200n],
      ]),
    ]
    // Two people settle what left to another one.
    expect(alarmsOf(show({ spendings }))).toEqual(['UNEXPLAINED', 'OTHER'])
    expect(alarmsOf(show({ spendings: [spendingOf([['us', 300n]])] }))).toEqual(['OTHER'])
    expect(alarmsOf(show({ spendings: [spendingOf([[null, 300n]])] }))).toEqual([
      'UNEXPLAINED',
      'OTHER',
    ])
  })

  test('for coins that no batch explains', () => {
    const sent: [string, bigint][] = [['eve', 7n]]
    const spending = spendingOf(sent, { inputs: ['else:1'] })
    expect(alarmsOf(show({ spendings: [spending] }))).toEqual(['UNEXPLAINED'])
    expect(alarmsOf(show({ spendings: [{ ...spending, isSettled: true }] }))).toEqual([])
    const early = spendingOf([['ada', 100n]], { ...evm, seenAt: at(-5) })
    expect(alarmsOf(show({ spendings: [early], batches: [safe()] }))).toEqual(['UNEXPLAINED'])
  })

  test('for a batch that waits for a day', () => {
    const batch = (more: Partial<Batch>) =>
      alarmsOf(show({ batches: [batchOf({ isLate: true, ...more })] }))
    expect(batch({})).toEqual(['LATE'])
    expect(batch({ state: 'SEEN' })).toEqual(['LATE'])
    expect(batch({ state: 'GIVEN_UP' })).toEqual([])
    const spendings = [
      spendingOf([
        ['ada', 100n],
        ['bob', 200n],
      ]),
    ]
    expect(alarmsOf(show({ spendings, batches: [batchOf({ isLate: true })] }))).toEqual([])
  })

  test('for payouts of what was given up', () => {
    const spendings = [
      spendingOf([
        ['ada', 100n],
        ['bob', 200n],
      ]),
    ]
    const givenUp = alarmsOf(show({ spendings, batches: [batchOf({ state: 'GIVEN_UP' })] }))
    expect(givenUp).toEqual(['GIVEN_BACK 0', 'GIVEN_BACK 1'])
    const waiting = alarmsOf(show({ spendings, batches: [batchOf({ state: 'WAITING' })] }))
    expect(waiting).toEqual(['UNAPPROVED'])
  })

  test('for coins that were not owed any more', () => {
    const given = (order: object) => ({
      order: { id: 'w', status: 'APPROVED', isCompletedByProduct: false, markedAs: null, ...order },
    })
    const spendings = [spendingOf([['ada', 100n]])]
    const returned = [payoutTo(0, 'ada', 100n, given({ status: 'RETURNED' }))]
    expect(alarmsOf(show({ spendings, batches: [batchOf({ payouts: returned })] }))).toEqual([
      'GIVEN_BACK 0',
      'UNEXPLAINED',
    ])
    // Two files of one withdrawal, of which the first was given up, are both sent.
    const payouts = [payoutTo(0, 'ada', 100n, given({}))]
    const again = [payoutTo(0, 'ada', 100n, given({}))]
    const both = [
      safe({ id: 'old', state: 'GIVEN_UP', payouts }),
      safe({ id: 'next', payouts: again, madeAt: at(2) }),
    ]
    const [first, second] = [
      spendingOf([['ada', 100n]], evm),
      spendingOf([['ada', 100n]], { ...evm, id: 'b', transaction: 'b', seenAt: at(9) }),
    ]
    expect(alarmsOf(show({ spendings: [first], batches: both }))).toEqual([])
    expect(alarmsOf(show({ spendings: [first, second], batches: both }))).toEqual([
      'GIVEN_BACK 0',
      'UNEXPLAINED',
    ])
  })

  test('at once for a payee that a Safe left out', () => {
    const half = [spendingOf([['ada', 100n]], evm)]
    expect(alarmsOf(show({ spendings: half, batches: [safe()] }))).toEqual([])
    const batch = safe({ isAtOnce: true })
    expect(alarmsOf(show({ spendings: half, batches: [batch] }))).toEqual(['OTHER'])
    const rest = spendingOf([['bob', 200n]], { ...evm, id: 'b', transaction: 'b' })
    expect(alarmsOf(show({ spendings: [...half, rest], batches: [batch] }))).toEqual([])
    // Freed, another batch pays it.
    const freed = safe({
      isAtOnce: true,
      isLate: true,
      payouts: [payoutTo(0, 'ada', 100n), payoutTo(1, 'bob', 200n, { isFreed: true })],
    })
    const next = safe({ id: 'next', payouts: [payoutTo(0, 'bob', 200n)], madeAt: at(2) })
    expect(alarmsOf(show({ spendings: half, batches: [freed] }))).toEqual([])
    const all = show({ spendings: [...half, rest], batches: [freed, next] })
    expect(alarmsOf(all)).toEqual([])
    expect(explain(all).batchOf.get(rest)).toBe(next)
  })

  test('for the old file of a batch made again', () => {
    const old = batchOf({ id: 'old', state: 'GIVEN_UP', inputs: new Set(['coin:0']) })
    const next = batchOf({ id: 'next', inputs: new Set(['coin:0', 'coin:1']), madeAt: at(2) })
    const batches = [old, next]
    const both: [string, bigint][] = [
      ['ada', 100n],
      ['bob', 200n],
    ]
    const ofNext = spendingOf(both, { inputs: ['coin:0', 'coin:1'], seenAt: at(3) })
    expect(alarmsOf(show({ spendings: [ofNext], batches }))).toEqual([])
    expect(explain(show({ spendings: [ofNext], batches })).batchOf.get(ofNext)).toBe(next)
    const ofOld = spendingOf(both, { inputs: ['coin:0'], seenAt: at(3) })
    expect(alarmsOf(show({ spendings: [ofOld], batches }))).toEqual([
      'GIVEN_BACK 0',
      'GIVEN_BACK 1',
      'OTHER',
    ])
    // The same coins pay both, as one file was made twice.
    const same = [old, { ...next, inputs: new Set(['coin:0']) }]
    expect(alarmsOf(show({ spendings: [ofOld], batches: same }))).toEqual([])
  })

  test('for completed payouts that the chain lost', () => {
    const order = {
      id: 'w',
      status: 'COMPLETED',
      isCompletedByProduct: true,
      markedAs: null,
    }
    const payouts = [payoutTo(0, 'ada', 100n, { order, transaction: 'tx', output: 0 })]
    const batch = batchOf({ state: 'COMPLETED', payouts })
    expect(alarmsOf(show({ batches: [batch] }))).toEqual(['REORGANISED 0'])
    const seen = spendingOf([['ada', 100n]])
    expect(alarmsOf(show({ spendings: [seen], batches: [batch] }))).toEqual(['REORGANISED 0'])
    const confirmed = { ...seen, isConfirmed: true }
    expect(alarmsOf(show({ spendings: [confirmed], batches: [batch] }))).toEqual([])
    // Another batch completed it.
    expect(alarmsOf(show({ batches: [{ ...batch, state: 'GIVEN_UP' }] }))).toEqual([])
  })
})

test('no output pays two payouts and no payout twice', () => {
  const receiver = fc.constantFrom('ada', 'bob', 'us', 'eve')
  const units = fc.bigInt(1n, 3n)
  const spending = fc.record({
    sent: fc.array(fc.tuple(receiver, units), { maxLength: 4 }),
    input: fc.constantFrom('coin:0', 'coin:1', 'coin:2'),
    minute: fc.integer({ min: -2, max: 9 }),
  })
  const batch = fc.record({
    payouts: fc.array(fc.tuple(receiver, units), { minLength: 1, maxLength: 3 }),
    input: fc.constantFrom('coin:0', 'coin:1', 'coin:3'),
    state: fc.constantFrom('READY', 'SEEN', 'GIVEN_UP', 'COMPLETED'),
  })
  fc.assert(
    fc.property(
      fc.array(spending, { maxLength: 4 }),
      fc.array(batch, { maxLength: 3 }),
      (left, made) => {
        const spendings = left.map(({ sent, input, minute }, n) =>
          spendingOf(sent, {
            id: `s${n}`,
            transaction: `t${n}`,
            inputs: [input],
            seenAt: at(minute),
          }),
        )
        const batches = made.map(({ payouts, input, state }, n) =>
          batchOf({
            id: `b${n}`,
            inputs: new Set([input]),
            state: state as Batch['state'],
            payouts: payouts.map(([to, sum], position) => payoutTo(position, to, sum)),
          }),
        )
        const shown = show({ spendings, batches })
        const { paidBy, alarms, batchOf: found } = explain(shown)
        const outputs = [...paidBy.values()].map(
          ({ spending, output }) => `${spending.transaction}:${output}`,
        )
        expect(new Set(outputs).size).toBe(outputs.length)
        for (const [payout, { spending, output }] of paidBy) {
          const sent = spending.sent.find((each) => each.output === output)
          expect([sent?.receiver, sent?.units]).toEqual([payout.receiver, payout.units])
        }
        // Coins that leave are paid for by a batch, or told.
        for (const spending of spendings)
          for (const sent of spending.sent)
            if (
              sent.receiver !== 'us' &&
              !outputs.includes(`${spending.transaction}:${sent.output}`)
            )
              expect(alarms.some(({ spendingId }) => spendingId === spending.id)).toBe(true)
        expect(found.size).toBe(spendings.length)
        // A second look finds the same.
        const again = explain({
          ...shown,
          batches: batches.map((each) => ({
            ...each,
            payouts: each.payouts.map((payout) => ({
              ...payout,
              transaction: paidBy.get(payout)?.spending.transaction ?? null,
              output: paidBy.get(payout)?.output ?? null,
            })),
          })),
        })
        expect(again.alarms).toEqual(alarms)
      },
    ),
    { numRuns: 2_000 },
  )
})
