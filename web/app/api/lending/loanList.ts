/** The loans as a list, by pages of the server. */
import { type Loan, listLoans } from '@pool/contract/lending/loans'
import { fieldOf } from '../http/errors.ts'
import { type ListSource, listSource } from '../http/lists.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asRecord,
  asText,
  asTexts,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

const readSending = record({
  networkName: or(asText, ''),
  address: or(asText, ''),
  batchId: asText,
} satisfies Shape<NonNullable<Loan['sending']>>)

export const readLoan = record({
  id: or(asText, ''),
  borrowerId: or(asText, ''),
  borrower: or(asText, ''),
  borrowerUserId: asText,
  borrowerAccounts: asTexts,
  relation: or(asText, 'none'),
  purpose: or(asText, ''),
  amount: asNumber,
  fromInvestors: or(asNumber, 0),
  rateBasisPoints: asNumber,
  schedule: or(asText, ''),
  period: or(asText, ''),
  dayCount: or(asText, ''),
  instalments: asNumber,
  dueDay: asNumber,
  disburseOn: asText,
  firstDueOn: asText,
  takenOverOn: asText,
  status: or(asText, ''),
  sending: (value) => (asRecord(value) ? readSending(value) : null),
  outstanding: asNumber,
  writtenOff: or(asNumber, 0),
  recovered: or(asNumber, 0),
  refinancesId: asText,
  defaultedOn: asText,
  daysPastDue: or(asNumber, 0),
  overdue: asNumber,
  nextDueOn: asText,
  nextDue: asNumber,
  lastUpdateAt: asMoment,
  isSilent: asFlag,
  recordedAt: asMoment,
} satisfies Shape<Loan>)

/** A loan as the screens show it. A newer server may have states that they do not know. */
export type LoanRow = ReturnType<typeof readLoan>

const all = listSource({
  noun: 'loans',
  endpoint: listLoans,
  read: readLoan,
  texts: { otherwise: '' },
})

/**
 * Those that are most days past due first, unless the query says otherwise. A list too long to sort
 * so begins with the newest.
 */
export const loanList: ListSource<LoanRow> = {
  ...all,
  load: ({ query, ...ask }) =>
    all.load({ ...ask, query }).catch((error: unknown) => {
      if (query.sort !== undefined || fieldOf(error) !== 'sort') throw error
      return all.load({ ...ask, query: { ...query, sort: 'createdAt' } })
    }),
}

/** Loans that a batch is to pay. */
export const loansToSend = { status: 'SENDING', sort: 'createdAt' } as const

/** The loans of one borrower, the newest first. */
export const loansOf = (borrowerId: string): ListSource<LoanRow> => ({
  ...all,
  key: `borrower ${borrowerId}`,
  load: ({ query, ...ask }) =>
    all.load({ ...ask, query: { ...query, borrowerId, sort: 'createdAt' } }),
})
