/** A made-up statement with a line of each kind. */
import type { StatementHead, StatementPart } from '@pool/contract/reports/statements'
import type { InvestorMovement } from '../ledger/sums/investorMovements.ts'
import { balancesText, partsOf } from '../reports/statements/count.ts'

const INVESTOR = '01900000-0000-7000-8000-000000000001'
const idOf = (n: number) => `01900000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`

const NOTHING = {
  available: null,
  held: null,
  onTheWay: null,
  invested: null,
  promised: null,
  debt: null,
  investmentId: null,
  interest: 0n,
  network: null,
  evidence: null,
  output: null,
  asset: null,
  coins: null,
  rate: null,
  rateAt: null,
  address: null,
} satisfies Partial<InvestorMovement>

const moved = (
  day: number,
  line: Partial<InvestorMovement> & Pick<InvestorMovement, 'movement' | 'amount'>,
): InvestorMovement => ({
  ...NOTHING,
  at: new Date(Date.UTC(2026, 0, day, 12)),
  transactionId: idOf(day),
  ...line,
})

/** A line of each kind that a statement can have. */
export const LINES: readonly InvestorMovement[] = [
  moved(2, {
    movement: 'deposit_confirmed',
    amount: 1_000_00n,
    available: 1_000_00n,
    network: 'Bitcoin',
    evidence: 'ab'.repeat(32),
    output: 1,
    address: 'bc1q=formula',
    asset: 'BTC',
    coins: '0.01',
    rate: '100000',
    rateAt: new Date('2026-01-02T11:59:00Z'),
  }),
  moved(3, {
    movement: 'investment_opened',
    amount: 500_00n,
    interest: 35_00n,
    investmentId: idOf(3),
    available: -500_00n,
    invested: 500_00n,
    promised: 35_00n,
  }),
  moved(4, { movement: 'loss_shared', amount: 10_01n, invested: -10_01n }),
  moved(5, { movement: 'loss_returned', amount: 5_00n, available: 5_00n }),
  moved(6, {
    movement: 'investment_matured',
    amount: 489_99n,
    interest: 35_00n,
    investmentId: idOf(3),
    available: 524_99n,
    invested: -489_99n,
    promised: -35_00n,
  }),
  moved(7, { movement: 'withdrawal_held', amount: 100_00n, available: -100_00n, held: 100_00n }),
  moved(8, { movement: 'withdrawal_released', amount: 1_00n, available: 1_00n, held: -1_00n }),
  moved(9, { movement: 'withdrawal_approved', amount: 99_00n, held: -99_00n, onTheWay: 99_00n }),
  moved(10, {
    movement: 'withdrawal_completed',
    amount: 90_00n,
    onTheWay: -90_00n,
    network: 'Ethereum',
    evidence: `0x${'cd'.repeat(32)}`,
    address: '0xabc',
  }),
  moved(11, {
    movement: 'withdrawal_returned',
    amount: 9_00n,
    onTheWay: -9_00n,
    available: 9_00n,
  }),
  moved(12, { movement: 'deposit_reversed', amount: 20_00n, debt: 20_00n }),
  moved(13, { movement: 'claim_collected', amount: 15_00n, available: -15_00n, debt: -15_00n }),
  moved(14, { movement: 'claim_written_off', amount: 5_00n, debt: -5_00n }),
]

export const OPENING = { ...NOTHING, available: 7n } satisfies Record<StatementPart, bigint | null>

export const headOf = (name: string): StatementHead => ({
  form: 'pool statement',
  version: 1,
  of: 'investor',
  name,
  investor: { id: INVESTOR, name: 'Ana "Ann" Núñez' },
  currency: 'USD',
  period: {
    name: '2026-01',
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-02-01T00:00:00.000Z',
    isComplete: true,
  },
  opening: balancesText(partsOf(OPENING)),
})
