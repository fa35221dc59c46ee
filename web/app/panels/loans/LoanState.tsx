import { named } from '../../i18n/loanList.ts'
import { Tag } from '../../tables/cells.tsx'
import { loanTone } from '../../tables/loans.ts'

/** The state of a loan. One of a newer server keeps its word. */
export const LoanState = ({ status }: { readonly status: string }) => (
  <Tag tone={loanTone(status)}>{named('state', status)}</Tag>
)
