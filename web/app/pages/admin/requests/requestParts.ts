import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { dialogOnDemand, onDemand } from '../../../loading/onDemand.tsx'
import type { QueueParts } from '../queue/parts.ts'
import { RequestLine } from './RequestLine.tsx'

/** Requests in the queue. Only their lines come with the page. */
export const requestParts: QueueParts<TransactionRow> = {
  Line: RequestLine,
  Panel: onDemand(async () => (await import('./RequestPanel.tsx')).RequestPanel),
  Several: dialogOnDemand(async () => (await import('./SeveralDialog.tsx')).SeveralDialog),
}
