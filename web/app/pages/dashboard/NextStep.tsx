import { Button } from '@mantine/core'
import { useListPage } from '../../api/http/lists.ts'
import { type TransactionRow, transactionList } from '../../api/requests/transactions.ts'
import { isFollowed } from '../../configuration.ts'
import { t } from '../../i18n/dashboard.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import classes from './NextStep.module.css'

const waitingDeposits = {
  query: { type: 'deposit', status: 'PENDING' },
  limit: 1,
  cursor: undefined,
}

const textOf = (waiting: TransactionRow | undefined) => {
  if (!waiting) return isFollowed('') ? 'next.deposit.chain' : 'next.deposit.text'
  return waiting.unannounced ? 'next.unannounced.text' : 'next.waiting.text'
}

/** The next step of a new investor: to ask for a deposit, then to wait for its confirmation. */
export const NextStep = ({ onDeposit }: { onDeposit: () => void }) => {
  const { data } = useListPage(transactionList, waitingDeposits)
  const waiting = data?.rows[0]
  return (
    <section className={classes.card} aria-labelledby="next-step">
      <div>
        <h2 id="next-step">{t(waiting ? 'next.waiting' : 'next.deposit')}</h2>
        <p>{t(textOf(waiting))}</p>
      </div>
      {waiting ? (
        <StoryLink kind="transaction" id={waiting.id}>
          {t('next.waiting.show')}
        </StoryLink>
      ) : (
        <Button size="md" onClick={onDeposit}>
          {t('next.deposit.do')}
        </Button>
      )}
    </section>
  )
}
