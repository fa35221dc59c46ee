import { amountSchema } from '@pool/contract/base/fields'
import { formatDollars } from '@pool/contract/base/money'
import { useEffect, useRef, useState } from 'react'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { AmountInput } from '../../../forms/AmountInput.tsx'
import { amountRule } from '../../../forms/amountRules.ts'
import { readDollars } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/queue.ts'
import { amountOf } from './decided.tsx'
import classes from './ReceivedAmount.module.css'

const validAmount = amountRule(amountSchema)

type Twice<Value> = readonly [Value, Value]
const NO_FAULTS: Twice<string | null> = [null, null]

const isTwice = ([first, again]: Twice<string>): boolean =>
  readDollars(first) === readDollars(again)

/** The amount that a deposit received, if it is not what was asked for: typed twice, or known. */
export const useReceivedAmount = () => {
  const [typed, setTyped] = useState<Twice<string> | null>(null)
  const [known, setKnown] = useState<number | null>(null)
  const [faults, setFaults] = useState(NO_FAULTS)
  const isTyped = typed !== null && validAmount(typed[0]) === null && isTwice(typed)
  const dollars = isTyped ? readDollars(typed[0]) : (known ?? undefined)
  const set = (typed: Twice<string> | null, known: number | null) => {
    setTyped(typed)
    setKnown(known)
    setFaults(NO_FAULTS)
  }
  return {
    typed,
    faults,
    /** The dollars, once they are typed twice or known. Undefined for what was asked for. */
    dollars,
    type: (next: Twice<string> | null) => set(next, null),
    /** Takes known dollars, or with null what was asked for. */
    take: (dollars: number | null) => set(null, dollars),
    /** Shows what is wrong. True if nothing is. */
    check: (): boolean => {
      if (!typed) return true
      const wrong = validAmount(typed[0])
      const differs = wrong || isTwice(typed) ? null : t('received.differs')
      setFaults([wrong, differs])
      return !wrong && !differs
    },
  }
}

type ReceivedAmount = ReturnType<typeof useReceivedAmount>

/** The request with the amount that is credited. */
export const withReceived = (
  request: TransactionRow,
  { dollars }: ReceivedAmount,
): TransactionRow => (dollars === undefined ? request : { ...request, amount: dollars })

type Props = {
  readonly request: TransactionRow
  readonly received: ReceivedAmount
  readonly busy: boolean
}

/** Takes another amount than was asked for, and says what is credited. */
export const ReceivedFields = ({ request, received, busy }: Props) => {
  const { typed, faults, dollars, type } = received
  const fields = useRef<HTMLDivElement>(null)
  const isOpen = typed !== null
  useEffect(() => {
    if (isOpen) fields.current?.querySelector('input')?.focus()
  }, [isOpen])
  useEffect(() => {
    if (faults !== NO_FAULTS)
      fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  const shared = {
    size: 'sm',
    required: true,
    withAsterisk: false,
    readOnly: busy,
    autoComplete: 'off',
  } as const
  return (
    <div className={classes.received}>
      <label className={classes.other}>
        <input
          type="checkbox"
          checked={isOpen}
          disabled={busy}
          onChange={() => type(isOpen ? null : ['', ''])}
        />
        {t('received.other')}
      </label>
      {typed && (
        <div ref={fields} className={classes.twice}>
          <AmountInput
            {...shared}
            label={t('received.amount')}
            error={faults[0]}
            value={typed[0]}
            onChange={(next) => type([next, typed[1]])}
          />
          <AmountInput
            {...shared}
            label={t('received.again')}
            error={faults[1]}
            value={typed[1]}
            onChange={(next) => type([typed[0], next])}
          />
        </div>
      )}
      <p role="status" className={classes.credits}>
        {dollars !== undefined &&
          dollars !== request.amount &&
          t('received.credits', { received: formatDollars(dollars), asked: amountOf(request) })}
      </p>
    </div>
  )
}
