import { useState } from 'react'
import { useBalance } from '../../api/transactions.ts'
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
        onPayoutAddress={() => onChoose('payoutAddress')}
        onClose={onClose}
      />
      <InvestDialog
        userId={user.id}
        balance={balance}
        opened={action === 'invest'}
        onClose={onClose}
      />
      <PayoutAddressDialog opened={action === 'payoutAddress'} onClose={onClose} />
      <DepositAddressDialog
        email={user.email}
        instruction={instruction}
        opened={addressOpened}
        onClose={() => setAddressOpened(false)}
      />
    </>
  )
}
