import { useApprovalLimits } from '../../api/money/limits.ts'
import { t } from '../../i18n/loans.ts'

const DAY_MS = 86_400_000
/** Days after its value date within which one person records or reverses a repayment alone. */
const ALONE_DAYS = 3

type Props = {
  /** Dollars, or null while none are typed. */
  readonly amount: number | null
  /** ISO text, or null for an act without a value date. */
  readonly valueOn: string | null
}

/** Says before the press that a second person is needed. The server has the last word. */
export const TakesTwo = ({ amount, valueOn }: Props) => {
  const { data } = useApprovalLimits()
  const { perPerson, perPool, decidedByYou, decidedByAll } = data ?? {}
  const isAbove = (used: number | null | undefined, most: number | null | undefined) =>
    typeof most === 'number' && amount !== null && (used ?? 0) + amount > most
  const isOld = valueOn !== null && Date.now() - Date.parse(valueOn) >= (ALONE_DAYS + 1) * DAY_MS
  const isAboveLimit = isAbove(decidedByYou, perPerson) || isAbove(decidedByAll, perPool)
  return (
    <div role="status">
      {(isOld || isAboveLimit) && <p>{t(isOld ? 'takesTwo.oldDay' : 'takesTwo.limit')}</p>}
    </div>
  )
}
