import { Button } from '@mantine/core'
import type { ShownLoan, ShownRepayment } from '../../api/loans.ts'
import { useSubject } from '../../forms/useSubject.ts'
import { t } from '../../i18n/loans.ts'
import { dialogOnDemand } from '../../loading/onDemand.tsx'
import { Day } from '../../panels/loans/Day.tsx'
import { useMayWrite } from '../../session/store.ts'
import { Tag } from '../../tables/cells.tsx'
import { Email } from '../../ui/Email.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './OneLoan.module.css'

const ReverseDialog = dialogOnDemand(
  async () => (await import('./ReverseDialog.tsx')).ReverseDialog,
)

const sum = (one: number, other: number): number => Math.round((one + other) * 100) / 100

type LineProps = { readonly repayment: ShownRepayment; readonly onReverse: () => void }

const Line = ({ repayment, onReverse }: LineProps) => {
  const { principal, interest, valueOn, reference, recordedBy, reversedFor } = repayment
  const mayWrite = useMayWrite()
  return (
    <li className={classes.line}>
      <div>
        <h3>
          <Money dollars={sum(principal, interest)} />
          {reversedFor !== null && <Tag tone="red">{t('reversed')}</Tag>}
        </h3>
        <p className={classes.muted}>
          <span>
            <Day on={valueOn} />
          </span>
          <span>{reference}</span>
          <span>
            {t('line.interest')} <Money dollars={interest} />
          </span>
          <span>
            {t('line.principal')} <Money dollars={principal} />
          </span>
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
        <Button
          size="xs"
          variant="light"
          color="red"
          aria-label={t('reverse.named', { reference })}
          onClick={onReverse}
        >
          {t('reverse')}
        </Button>
      )}
    </li>
  )
}

/** The repayments of a loan, the reversed ones with their reason. */
export const Repayments = ({ repayments }: Pick<ShownLoan, 'repayments'>) => {
  const reversing = useSubject<ShownRepayment>()
  return (
    <>
      {repayments.length === 0 && <p className={classes.none}>{t('repayments.empty')}</p>}
      <ul className={classes.lines} aria-label={t('repayments')}>
        {repayments.map((repayment) => (
          <Line
            key={repayment.id}
            repayment={repayment}
            onReverse={() => reversing.open(repayment)}
          />
        ))}
      </ul>
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
