import { Alert, Button } from '@mantine/core'
import { formatDollars, MINIMUM_DEPOSIT } from '@pool/contract/base/money'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRef } from 'react'
import { useIsPaid } from '../../api/requests/stories.ts'
import type { DepositInstruction } from '../../api/requests/transactions.ts'
import { configuration } from '../../configuration.ts'
import { Dialog, DialogFoot } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/dialogs.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { AddressGroups } from '../../ui/AddressGroups.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Money } from '../../ui/Money.tsx'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import classes from './DepositAddressDialog.module.css'
import { DepositSteps } from './DepositSteps.tsx'

const Arrival = onDemand(async () => (await import('../../panels/payments/Arrival.tsx')).Arrival)
const PaymentCode = onDemand(async () => (await import('../../ui/PaymentCode.tsx')).PaymentCode)
const QuotedPayment = onDemand(
  async () => (await import('../../ui/QuotedPayment.tsx')).QuotedPayment,
)

export type ShownInstruction = DepositInstruction & {
  /** Dollars. */
  readonly amount: number
  /** Set for the operator's fallback address, after a failed request. */
  readonly unrecorded: { readonly reason: string; readonly outcomeUnknown: boolean } | null
}

/** Advice about a payment that the pool has no record of (docs/product.md 5.6). */
const Unrecorded = ({ instruction, email }: { instruction: ShownInstruction; email: string }) => {
  const { supportEmail } = configuration()
  const { unrecorded, amount } = instruction
  if (!unrecorded) return null
  const body = t('unrecorded.mail.body', { email, amount: formatDollars(amount) })
  const mail = `mailto:${supportEmail}?subject=${encodeURIComponent(t('unrecorded.mail.subject'))}&body=${encodeURIComponent(body)}`
  return (
    <Alert
      color="yellow"
      role="alert"
      title={t(unrecorded.outcomeUnknown ? 'unrecorded.unsure' : 'unrecorded')}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <p>{unrecorded.reason}</p>
      <p>
        {unrecorded.outcomeUnknown && `${t('unrecorded.unknown')} `}
        {t('unrecorded.before')} <a href={mail}>{supportEmail}</a>
        {t('unrecorded.after')}
      </p>
    </Alert>
  )
}

/** Names the network, and the coin where one was asked for. */
const onlyThese = (network: string, coin: string | undefined): string => {
  if (!network) return t('address.rule.thisNetwork')
  return coin ? t('address.rule.coin', { coin, network }) : t('address.rule.network', { network })
}

const Instruction = ({ instruction, email }: { instruction: ShownInstruction; email: string }) => {
  const address = useRef<HTMLElement>(null)
  const { id, networkName, amount, quote } = instruction
  const shownId = configuration().chains === '' ? null : id
  const isPaid = useIsPaid(shownId)
  const next = <DepositSteps network={networkName} isAsked />
  const selectAddress = () => {
    if (address.current) window.getSelection()?.selectAllChildren(address.current)
  }
  return (
    <div className={classes.instruction}>
      <Unrecorded instruction={instruction} email={email} />
      <dl className={classes.facts}>
        <div>
          <dt>{t('address.network')}</dt>
          <dd>
            <NetworkBadge network={networkName} />
          </dd>
        </div>
        <div>
          <dt>{t('address.amount')}</dt>
          <dd className={classes.amount}>
            <Money dollars={amount} always />
          </dd>
        </div>
      </dl>
      <div className={classes.wallet}>
        <h3 className={classes.label}>{t('address.wallet')}</h3>
        <code ref={address} className={classes.address}>
          <AddressGroups address={instruction.address} />
        </code>
        <CopyButton text={instruction.address} onRefused={selectAddress} />
      </div>
      <ul className={classes.rules}>
        <li>{onlyThese(networkName, quote?.coin)}</li>
        <li>{t('address.rule.check')}</li>
        <li>{t('address.rule.minimum', { minimum: `$${MINIMUM_DEPOSIT}` })}</li>
      </ul>
      {quote && (
        <QuotedPayment
          network={networkName}
          address={instruction.address}
          dollars={amount}
          quote={quote}
          isPaid={isPaid}
        />
      )}
      {!instruction.unrecorded && !quote && !isPaid && (
        <div className={classes.payment}>
          <PaymentCode network={networkName} address={instruction.address} />
        </div>
      )}
      {shownId !== null ? (
        <Arrival depositId={shownId} otherwise={next} />
      ) : (
        !instruction.unrecorded && next
      )}
    </div>
  )
}

type Props = {
  readonly email: string
  readonly instruction: ShownInstruction | null
  readonly opened: boolean
  readonly onClose: () => void
}

/** The 'Deposit Address' dialog (docs/product.md 3.7). */
export const DepositAddressDialog = ({ email, instruction, opened, onClose }: Props) => (
  <Dialog title={t('address')} opened={opened} onClose={onClose}>
    {instruction && <Instruction instruction={instruction} email={email} />}
    <DialogFoot>
      <Button variant="default" onClick={onClose}>
        {t('address.done')}
      </Button>
    </DialogFoot>
  </Dialog>
)
