import { expect, test } from 'vitest'
import { dueBy, mostOf, openBeforePaid, owedOf, payoffOn } from './owed.ts'

const line = { number: 1, dueOn: '2026-01-08', principal: 100, interest: 2.76, balance: 1_100 }

test('a line owes what is not paid of each part', () => {
  const unpaid = owedOf({ ...line, paid: 0, interestPaid: 0 })
  expect(unpaid).toMatchObject({ principal: 10_000n, interest: 276n })
  const partly = owedOf({ ...line, paid: 50, interestPaid: 2.76 })
  expect(partly).toMatchObject({ principal: 5_276n, interest: 0n })
})

test('a reversal can leave interest owed beside paid principal', () => {
  const odd = owedOf({ ...line, paid: 50, interestPaid: 0 })
  expect(odd).toMatchObject({ principal: 5_000n, interest: 276n })
})

test('only lines due by the day are due', () => {
  const owed = [line, { ...line, number: 2, dueOn: '2026-01-15' }].map((each) =>
    owedOf({ ...each, paid: 0, interestPaid: 0 }),
  )
  expect([dueBy(owed, '2026-01-07'), dueBy(owed, '2026-01-14')]).toEqual([0n, 10_276n])
})

const story = (status: string, defaultedOn: string | null, startsOn?: string) => ({
  loan: {
    status,
    defaultedOn,
    disburseOn: '2026-01-01',
    rateBasisPoints: 1_200,
    dayCount: 'act365',
    period: 'weekly',
    dueDay: 1,
  },
  lines: [
    { ...line, paid: 0, interestPaid: 0 },
    { ...line, number: 2, dueOn: '2026-01-15', interest: 2.53, paid: 0, interestPaid: 0 },
  ],
  default: defaultedOn && { on: defaultedOn, stopped: { number: 2, interest: 0.07 } },
  restructurings: startsOn
    ? [
        {
          startsOn,
          startsAs: null,
          firstNumber: 1,
          interest: 1,
          rateBasisPoints: 1_200,
          dayCount: 'act365',
          period: 'weekly',
          dueDay: 1,
        },
      ]
    : [],
  repayments: [],
})
const storyOf = (...parts: Parameters<typeof story>) =>
  story(...parts) as unknown as Parameters<typeof payoffOn>[0]

test('a reversal leaves instalments open before paid ones', () => {
  const open = (...paid: readonly [paid: number, interestPaid: number][]) =>
    openBeforePaid({
      ...storyOf('ACTIVE', null),
      lines: paid.map(([sum, interestPaid], place) => ({
        ...line,
        number: place + 1,
        dueOn: `2026-01-${8 + place}`,
        paid: sum,
        interestPaid,
      })),
    } as unknown as Parameters<typeof openBeforePaid>[0])
  const [none, part, whole] = [
    [0, 0],
    [50, 2.76],
    [102.76, 2.76],
  ] as const
  expect(open([...whole], [...none], [...whole], [...none])).toEqual([2])
  expect(open([...part], [...none], [...part], [...none])).toEqual([1, 2])
  expect(open([...whole], [...part], [...none])).toEqual([])
  expect(open([...none], [...none])).toEqual([])
})

test('interest stops at a default and all principal is due', () => {
  const ended = storyOf('DEFAULTED', '2026-01-10')
  // Two days on $100 are 7 cents.
  expect(mostOf(ended, '2026-01-10', '2026-01-10')).toBe(20_283n)
  expect(mostOf(storyOf('ACTIVE', null), '2026-01-05', '2026-01-10')).toBe(10_276n)
})

test('a payment in full has interest by the day', () => {
  // Three days on $200 at 12 %: 19.7 cents.
  expect(payoffOn(storyOf('ACTIVE', null), '2026-01-04')).toMatchObject({
    principal: 20_000n,
    interest: 20n,
  })
  // Its first line owes a dollar from before the new terms, and two days.
  const changed = storyOf('ACTIVE', null, '2026-01-02')
  expect(payoffOn(changed, '2026-01-04').interest).toBe(113n)
})
