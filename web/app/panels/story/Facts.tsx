import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import type { InvestmentRow } from '../../api/money/investments.ts'
import { isPaid as isPaidBy, type Story } from '../../api/requests/stories.ts'
import type { TransactionRow } from '../../api/requests/transactions.ts'
import { formatRate } from '../../i18n/format.ts'
import { destinationName, reasonName } from '../../i18n/named.ts'
import { t as quotes } from '../../i18n/quotes.ts'
import { t } from '../../i18n/story.ts'
import { useSessionUser } from '../../session/store.ts'
import { AddressGroups } from '../../ui/AddressGroups.tsx'
import { ChainTransaction } from '../../ui/ChainTransaction.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Email } from '../../ui/Email.tsx'
import { Money } from '../../ui/Money.tsx'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import { PaymentCode } from '../../ui/PaymentCode.tsx'
import { QuotedPayment } from '../../ui/QuotedPayment.tsx'
import { rateText } from '../../ui/rateText.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Approvals } from './Approvals.tsx'
import { Flags } from './Flags.tsx'
import { PayoutAddress } from './PayoutAddress.tsx'
import { StoryLink } from './StoryLink.tsx'
import classes from './StoryPanel.module.css'

type Fact = readonly [name: string, value: ReactNode]

/** Names and values. Facts without a value are left out. */
const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

const Sum = ({ dollars, status }: { dollars: number | null; status: string }) => (
  <p className={classes.sum}>
    <Money dollars={dollars} />
    <StatusBadge status={status} />
  </p>
)

/** The owner, where it is another user. */
const useOwner = (email: string | null, id: string | null): ReactNode => {
  const user = useSessionUser()
  if (user?.email === email) return null
  return email && id && user?.role !== 'client' ? (
    <Link to={`/admin/users/${id}`}>
      <Email>{email}</Email>
    </Link>
  ) : (
    email
  )
}

const code = (text: string | null): ReactNode =>
  text && <span className={classes.code}>{text}</span>

type AddressProps = {
  readonly address: string
  readonly network: string
  readonly dollars: number | null
  readonly quote: Story['quote']
  /** True once a payment was seen. */
  readonly isPaid: boolean
}

/** The wallet of a pending deposit: to read, copy, scan or open. */
const DepositAddress = ({ address, network, dollars, quote, isPaid }: AddressProps) => {
  const shown = useRef<HTMLElement>(null)
  const select = () => {
    if (shown.current) window.getSelection()?.selectAllChildren(shown.current)
  }
  return (
    <div className={classes.address}>
      <code ref={shown} className={classes.code}>
        <AddressGroups address={address} />
      </code>
      {quote && dollars !== null ? (
        <QuotedPayment
          network={network}
          address={address}
          dollars={dollars}
          quote={quote}
          isPaid={isPaid}
        />
      ) : (
        !isPaid && <PaymentCode network={network} address={address} />
      )}
      <CopyButton text={address} onRefused={select} />
    </div>
  )
}

type TransactionProps = { readonly transaction: TransactionRow; readonly story: Story }

export const TransactionFacts = ({ transaction, story }: TransactionProps) => {
  const {
    id,
    amount,
    requestedAmount,
    networkFee,
    status,
    description,
    reason,
    networkName,
    walletAddress,
    destinationAddress,
    evidence,
    unannounced,
    sent,
    createdAt,
    updatedAt,
  } = transaction
  const isPending = status === 'PENDING'
  const awaitsPayment = walletAddress !== null && isPending && !unannounced
  const { investmentId } = story
  // Investors are not told the approvers, so there is nothing to count.
  const isStaff = useSessionUser()?.role !== 'client'
  return (
    <section>
      <Sum dollars={amount} status={status} />
      <div className={classes.basis}>
        {!isStaff && unannounced && isPending && (
          <p className={classes.aside}>{t('unannounced')}</p>
        )}
        {isStaff && <Flags flags={transaction.flags} />}
        {isStaff && <Approvals transaction={transaction} />}
        {transaction.type === 'withdrawal' && <PayoutAddress transaction={transaction} />}
      </div>
      <Facts
        facts={[
          [t('requested'), requestedAmount && <Money key="requested" dollars={requestedAmount} />],
          [t('networkFee'), networkFee && <Money key="networkFee" dollars={networkFee} />],
          [t('received'), requestedAmount && <Money key="received" dollars={amount} />],
          [t(status === 'RETURNED' ? 'reason.returned' : 'reason'), reason && reasonName(reason)],
          [t('owner'), useOwner(transaction.userEmail ?? transaction.username, transaction.userId)],
          [t('description'), description],
          [t('destination'), code(destinationAddress && destinationName(destinationAddress))],
          [t('network'), networkName && <NetworkBadge network={networkName} />],
          [
            quotes('quote'),
            story.quote && (
              <>
                {quotes('past', {
                  coins: story.quote.amount,
                  coin: story.quote.coin,
                  rate: rateText(story.quote.dollars),
                })}{' '}
                {quotes('past.until')} <DateTime at={story.quote.endsAt} />
              </>
            ),
          ],
          [t('evidence'), code(evidence)],
          [
            t('sent'),
            sent && (
              <ChainTransaction
                key="sent"
                className={classes.code ?? ''}
                network={sent.networkName ?? ''}
                id={sent.evidence ?? ''}
              />
            ),
          ],
          [t('wallet'), awaitsPayment ? null : code(walletAddress)],
          [t('created'), <DateTime key="created" at={createdAt} />],
          [t('updated'), <DateTime key="updated" at={updatedAt} />],
          [t('id'), code(id)],
        ]}
      />
      {awaitsPayment && (
        <DepositAddress
          address={walletAddress}
          network={networkName ?? ''}
          dollars={amount}
          quote={story.quote}
          isPaid={isPaidBy(story)}
        />
      )}
      {investmentId && (
        <p className={classes.related}>
          <StoryLink kind="investment" id={investmentId}>
            {t('seeInvestment')}
          </StoryLink>
        </p>
      )}
    </section>
  )
}

type InvestmentProps = { readonly investment: InvestmentRow; readonly story: Story }

export const InvestmentFacts = ({ investment, story }: InvestmentProps) => {
  const { id, amount, borne, interest, status, maturityDate, createdAt, userEmail } = investment
  const { rateBasisPoints, openingTransactionId, payoutTransactionId } = story
  return (
    <section>
      <Sum dollars={amount} status={status} />
      <Facts
        facts={[
          [t('principal'), <Money key="principal" dollars={amount} />],
          [t('borne'), borne > 0 ? <Money key="borne" dollars={borne} /> : null],
          [t('interest'), <Money key="interest" dollars={interest} />],
          [
            t('rate'),
            rateBasisPoints === null ? null : t('rateOf', { rate: formatRate(rateBasisPoints) }),
          ],
          [t('maturity'), <DateTime key="maturity" at={maturityDate} />],
          [t('owner'), useOwner(userEmail, investment.userId)],
          [t('created'), <DateTime key="created" at={createdAt} />],
          [t('id'), code(id)],
        ]}
      />
      <p className={classes.related}>
        {openingTransactionId && (
          <StoryLink kind="transaction" id={openingTransactionId}>
            {t('seeOpening')}
          </StoryLink>
        )}
        {payoutTransactionId && (
          <StoryLink kind="transaction" id={payoutTransactionId}>
            {t('seePayout')}
          </StoryLink>
        )}
      </p>
    </section>
  )
}
