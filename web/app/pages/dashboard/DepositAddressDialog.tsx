import { Alert, Button } from '@mantine/core'
import { formatDollars, MINIMUM_DEPOSIT } from '@pool/contract/money'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRef } from 'react'
import type { DepositInstruction } from '../../api/transactions.ts'
import { configuration } from '../../configuration.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/FormDialog.tsx'
import { Money } from '../../ui/Money.tsx'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import classes from './DepositAddressDialog.module.css'

export type ShownInstruction = DepositInstruction & {
  /** Dollars. */
  readonly amount: number
  /** Set where the address is the operator's fallback, because the request failed. */
  readonly unrecorded: { readonly reason: string; readonly outcomeUnknown: boolean } | null
}

/** What the investor must know, and do, about a payment that the pool knows nothing of (design §7). */
const Unrecorded = ({ instruction, email }: { instruction: ShownInstruction; email: string }) => {
  const { supportEmail } = configuration()
  const { unrecorded, amount } = instruction
  if (!unrecorded) return null
  const body = [`Account: ${email}`, `Amount: ${formatDollars(amount)}`, 'Transaction ID: ', 'Sent at: '].join('\n')
  const mail = `mailto:${supportEmail}?subject=${encodeURIComponent('Deposit that was not recorded')}&body=${encodeURIComponent(body)}`
  return (
    <Alert color="yellow" role="alert" title="This deposit was not recorded" icon={<IconAlertTriangle aria-hidden />}>
      <p>{unrecorded.reason}</p>
      <p>
        {unrecorded.outcomeUnknown && 'Should it be listed under your transactions after all, start again instead of paying here. '}
        The address below is the operator's own and is not linked to your account. If you pay to it, send the amount, the transaction ID and
        your account email to <a href={mail}>{supportEmail}</a>, or the money cannot be credited to you.
      </p>
    </Alert>
  )
}

const Instruction = ({ instruction, email }: { instruction: ShownInstruction; email: string }) => {
  const address = useRef<HTMLElement>(null)
  const { networkName, amount } = instruction
  const selectAddress = () => {
    if (address.current) window.getSelection()?.selectAllChildren(address.current)
  }
  return (
    <div className={classes.instruction}>
      <Unrecorded instruction={instruction} email={email} />
      <dl className={classes.facts}>
        <div>
          <dt>Network</dt>
          <dd>
            <NetworkBadge network={networkName} />
          </dd>
        </div>
        <div>
          <dt>Deposit amount</dt>
          <dd className={classes.amount}>
            <Money dollars={amount} />
          </dd>
        </div>
      </dl>
      <div className={classes.wallet}>
        <h3 className={classes.label}>Wallet address</h3>
        <code ref={address} className={classes.address}>
          {instruction.address}
        </code>
        <CopyButton text={instruction.address} onRefused={selectAddress} />
      </div>
      <ul className={classes.rules}>
        <li>{`Send only ${networkName || "this network's"} coins to this address. Anything else is lost.`}</li>
        <li>Double-check the address before you send: a payment cannot be called back.</li>
        <li>{`The minimum deposit is $${MINIMUM_DEPOSIT}.`}</li>
      </ul>
    </div>
  )
}

type Props = {
  readonly email: string
  readonly instruction: ShownInstruction | null
  readonly opened: boolean
  readonly onClose: () => void
}

/** The 'Deposit Address' dialog (spec §2). */
export const DepositAddressDialog = ({ email, instruction, opened, onClose }: Props) => (
  <Dialog title="Deposit Address" opened={opened} onClose={onClose}>
    {instruction && <Instruction instruction={instruction} email={email} />}
    <Button fullWidth variant="default" mt="lg" onClick={onClose}>
      Done
    </Button>
  </Dialog>
)
