import { useState } from 'react'
import { useBalance } from '../../api/requests/transactions.ts'
import { keepDraft } from '../../session/drafts.ts'
import type { SessionUser } from '../../session/store.ts'
import type { Action } from './ActionCards.tsx'
import { DepositAddressDialog, type ShownInstruction } from './DepositAddressDialog.tsx'
import { DepositDialog } from './DepositDialog.tsx'
import { InvestDialog } from './InvestDialog.tsx'
import { PayoutAddressDialog } from './PayoutAddressDialog.tsx'
import { WithdrawDialog } from './WithdrawDialog.tsx'

type Props = {
  readonly user: SessionUser
  readonly action: Action | null
  readonly onChoose: (action: Action) => void
  readonly onClose: () => void
}

/**
 * The dialogs of the investor's dashboard. A deposit closes its own and opens 'Deposit Address'
 * (docs/product.md 3.7).
 */
export const Dialogs = ({ user, action, onChoose, onClose }: Props) => {
  const { data: balance } = useBalance(user.id)
  const [instruction, setInstruction] = useState<ShownInstruction | null>(null)
  const [addressOpened, setAddressOpened] = useState(false)
  // A withdrawal waits with what was typed while its investor saves a payout address.
  const [isWithdrawing, setWithdrawing] = useState(false)
  const saveAddress = () => {
    keepDraft(user.id)
    setWithdrawing(true)
    onChoose('payoutAddress')
  }
  const leaveAddress = () => {
    setWithdrawing(false)
    if (isWithdrawing) onChoose('withdraw')
    else onClose()
  }
  const showAddress = (shown: ShownInstruction) => {
    onClose()
    setInstruction(shown)
    setAddressOpened(true)
  }
  return (
    <>
      <DepositDialog
        userId={user.id}
        opened={action === 'deposit'}
        onClose={onClose}
        onInstruction={showAddress}
      />
      <WithdrawDialog
        userId={user.id}
        balance={balance}
        opened={action === 'withdraw'}
        onPayoutAddress={saveAddress}
        onClose={onClose}
      />
      <InvestDialog
        userId={user.id}
        balance={balance}
        opened={action === 'invest'}
        onClose={onClose}
      />
      <PayoutAddressDialog
        userId={user.id}
        opened={action === 'payoutAddress'}
        onClose={leaveAddress}
      />
      <DepositAddressDialog
        email={user.email}
        instruction={instruction}
        opened={addressOpened}
        onClose={() => setAddressOpened(false)}
      />
    </>
  )
}
