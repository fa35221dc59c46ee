import type { ListRequest } from '@pool/contract/base/lists'
import { type TransactionType, transactionTypes } from '@pool/contract/requests/transactions'
import { type RawBuilder, sql } from 'kysely'

/**
 * The transactions of these types by age, as a table expression without its alias. The index holds
 * each type by age, and PostgreSQL merges them.
 */
export const ofTypes = (
  types: readonly TransactionType[] = transactionTypes,
  order: ListRequest['order'] = 'asc',
): RawBuilder<unknown> => {
  const direction = sql.raw(order)
  const each = types.map(
    (type) => sql`(SELECT * FROM transactions WHERE type = ${sql.lit(type)}
      ORDER BY created_at ${direction}, id ${direction})`,
  )
  return each.length > 0
    ? sql`(${sql.join(each, sql` UNION ALL `)})`
    : sql`(SELECT * FROM transactions WHERE false)`
}
