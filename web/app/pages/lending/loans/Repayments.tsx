import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import type { ShownLoan, ShownRepayment } from '../../../api/lending/loans.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/loans.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { Day } from '../../../panels/loans/Day.tsx'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { Email } from '../../../ui/Email.tsx'
import { Money } from '../../../ui/Money.tsx'
import { offProps } from './Actions.tsx'
import classes from './OneLoan.module.css'
import { openBeforePaid } from './owed.ts'
import { type OffReason, whyKept } from './steps.ts'

const ReverseDialog = dialogOnDemand(
  async () => (await import('./ReverseDialog.tsx')).ReverseDialog,
)

const RecountDialog = dialogOnDemand(
  async () => (await import('./RecountDialog.tsx')).RecountDialog,
)

const sum = (one: number, other: number): number => Math.round((one + other) * 100) / 100

type LineProps = {
  readonly repayment: ShownRepayment
  /** Why it cannot be reversed, or null. */
  readonly kept: OffReason | null
  readonly onReverse: () => void
}

const Line = ({ repayment, kept, onReverse }: LineProps) => {
  const { principal, interest, recovered, toReserve, ...facts } = repayment
  const { valueOn, reference, recordedBy, reversedFor } = facts
  const why = useId()
  const mayWrite = useMayWrite()
  return (
    <li className={classes.line}>
      <div>
        <h3>
          <Money dollars={recovered > 0 ? recovered : sum(principal, interest)} />
          {recovered > 0 && <Tag tone="blue">{t('event.recovered')}</Tag>}
          {reversedFor !== null && <Tag tone="red">{t('reversed')}</Tag>}
        </h3>
        <p className={classes.muted}>
          <span>
            <Day on={valueOn} />
          </span>
          <span>{reference}</span>
          {recovered === 0 && (
            <>
              <span>
                {t('line.interest')} <Money dollars={interest} />
              </span>
              <span>
                {t('line.principal')} <Money dollars={principal} />
              </span>
            </>
          )}
          {toReserve > 0 && (
            <span>
              {t('line.toReserve')} <Money dollars={toReserve} />
            </span>
          )}
          <span>
            <Email>{recordedBy}</Email>
          </span>
        </p>
        {reversedFor !== null && (
          <p className={classes.muted}>
            <q>{reversedFor}</q>
          </p>
        )}
      </div>
      {mayWrite && reversedFor === null && (
        <>
          {kept && (
            <p id={why} className={classes.why}>
              {t(`off.${kept}`)}
            </p>
          )}
          <Button
            size="xs"
            variant="light"
            color="red"
            aria-label={t('reverse.named', { reference })}
            {...offProps(kept, why)}
            onClick={() => kept === null && onReverse()}
          >
            {t('reverse')}
          </Button>
        </>
      )}
    </li>
  )
}

/** The repayments of a loan, the reversed ones with their reason. */
export const Repayments = ({ story }: { readonly story: ShownLoan }) => {
  const { repayments } = story
  const me = useSessionUser() ?? { id: '', role: '' }
  const reversing = useSubject<ShownRepayment>()
  const open = openBeforePaid(story)
  const [recounting, setRecounting] = useState(false)
  const mayWrite = useMayWrite()
  const { status, borrowerAccounts } = story.loan
  const isOwing = status === 'ACTIVE' || status === 'DEFAULTED'
  const mayPlace = mayWrite && isOwing && !borrowerAccounts.includes(me.id)
  return (
    <>
      {repayments.length === 0 && <p className={classes.none}>{t('repayments.empty')}</p>}
      {open.length > 0 && (
        <div className={classes.none}>
          <p>
            {t('repayments.openBefore', { numbers: open.map((number) => `#${number}`).join(', ') })}
          </p>
          {mayPlace && (
            <Button size="xs" variant="default" onClick={() => setRecounting(true)}>
              {t('recount')}
            </Button>
          )}
        </div>
      )}
      <ul className={classes.lines} aria-label={t('repayments')}>
        {repayments.map((repayment) => (
          <Line
            key={repayment.id}
            repayment={repayment}
            kept={whyKept(story, repayment, me)}
            onReverse={() => reversing.open(repayment)}
          />
        ))}
      </ul>
      <RecountDialog
        loanId={story.loan.id}
        opened={recounting}
        onClose={() => setRecounting(false)}
      />
      {reversing.row && (
        <ReverseDialog
          repayment={reversing.row}
          opened={reversing.opened}
          onClose={reversing.close}
        />
      )}
    </>
  )
}
