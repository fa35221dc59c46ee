import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useEmailConfirmed } from '../../api/accounts/emails.ts'
import { useFactors } from '../../api/accounts/factors.ts'
import { useListPage } from '../../api/http/lists.ts'
import { type TransactionRow, transactionList } from '../../api/requests/transactions.ts'
import { isFollowed } from '../../configuration.ts'
import { t } from '../../i18n/firstSteps.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import { useSessionUser } from '../../session/store.ts'
import { Checklist, type Step } from '../../ui/Checklist.tsx'

const waitingDeposits = {
  query: { type: 'deposit', status: 'PENDING' },
  limit: 1,
  cursor: undefined,
}

const depositText = (waiting: TransactionRow | undefined) => {
  if (!waiting) return isFollowed('') ? 'deposit.chain' : 'deposit.text'
  return waiting.unannounced ? 'unannounced.text' : 'waiting.text'
}

type Props = {
  readonly hasDeposited: boolean
  readonly onDeposit: () => void
  readonly onInvest: () => void
}

/** The steps of a new investor, until the first investment. */
export const FirstSteps = ({ hasDeposited, onDeposit, onInvest }: Props) => {
  const user = useSessionUser()
  const isConfirmed = useEmailConfirmed(user?.email) === true
  const { data: factors } = useFactors()
  const { data: deposits } = useListPage(transactionList, waitingDeposits)
  const waiting = deposits?.rows[0]
  const steps: readonly Step[] = [
    {
      name: 'confirm',
      isDone: isConfirmed,
      title: t('confirm'),
      text: t('confirm.text'),
      action: <Link to="/security">{t('security')}</Link>,
    },
    {
      name: 'factor',
      isDone: factors !== undefined && factors.factors.length > 0,
      title: t('factor'),
      text: t('factor.text'),
      action: <Link to="/security">{t('security')}</Link>,
    },
    {
      name: 'deposit',
      isDone: hasDeposited,
      title: t(waiting ? 'waiting' : 'deposit'),
      text: t(depositText(waiting)),
      action: waiting ? (
        <StoryLink kind="transaction" id={waiting.id}>
          {t('waiting.show')}
        </StoryLink>
      ) : (
        <Button onClick={onDeposit}>{t('deposit.do')}</Button>
      ),
    },
    {
      name: 'invest',
      isDone: false,
      title: t('invest'),
      text: t('invest.text'),
      action: hasDeposited && <Button onClick={onInvest}>{t('invest.do')}</Button>,
    },
  ]
  return <Checklist id="first-steps" title={t('title')} done={t('done')} steps={steps} />
}
