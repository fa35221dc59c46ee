import { useNavigate } from 'react-router'
import type { ShownLoan } from '../../../api/lending/loans.ts'
import { LoanDialog } from '../../../panels/loans/LoanDialog.tsx'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

/** Records an application that refinances this loan, for the same borrower. */
export const RefinanceDialog = ({ story: { loan }, opened, onClose }: Props) => {
  const navigate = useNavigate()
  return (
    <LoanDialog
      borrowerId={loan.borrowerId}
      refinances={loan}
      opened={opened}
      onClose={onClose}
      onDone={(id) => void navigate(`/admin/loans/${id}`)}
    />
  )
}
