/** The loans as a list. The server sends all of it, so it is searched and sorted here. */
import { bucketOf } from '@pool/contract/loanBuckets'
import { type Loan, listLoans } from '@pool/contract/loans'
import { type ListSource, listSource } from './http/lists.ts'
import { asMoment, asNumber, asText, or, record, type Shape } from './http/reading.ts'

export const readLoan = record({
  id: or(asText, ''),
  borrowerId: or(asText, ''),
  borrower: or(asText, ''),
  relation: or(asText, 'none'),
  purpose: or(asText, ''),
  amount: asNumber,
  fromInvestors: or(asNumber, 0),
  rateBasisPoints: asNumber,
  schedule: or(asText, ''),
  period: or(asText, ''),
  dayCount: or(asText, ''),
  instalments: asNumber,
  disburseOn: asText,
  firstDueOn: asText,
  status: or(asText, ''),
  outstanding: asNumber,
  daysPastDue: or(asNumber, 0),
  overdue: asNumber,
  nextDueOn: asText,
  nextDue: asNumber,
  recordedAt: asMoment,
} satisfies Shape<Loan>)

/** A loan as the screens show it. A newer server may have states that they do not know. */
export type LoanRow = ReturnType<typeof readLoan>

const all = listSource({
  noun: 'loans',
  endpoint: listLoans,
  read: readLoan,
  texts: { otherwise: '' },
  fields: ({ outstanding, daysPastDue, recordedAt }) => ({
    // A loan that owes nothing stands in no band.
    bucket: outstanding ? bucketOf(daysPastDue) : '',
    createdAt: recordedAt,
  }),
})

/** Those that are most days past due first, unless the query says otherwise. */
export const loanList: ListSource<LoanRow> = {
  ...all,
  load: ({ query, ...ask }) => all.load({ ...ask, query: { sort: 'daysPastDue', ...query } }),
}
