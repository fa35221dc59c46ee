import { transactionStatuses } from '@pool/contract/requests/transactions'
import { newId } from '../base/db/ids.ts'
import { type Person, type Product, person, wallets } from './product.ts'
import { passGuard } from './tamper.ts'

/** Moments a microsecond or a day apart. Cut to milliseconds, rows would lose their order. */
const MOMENTS = [
  '2026-01-30T23:59:59.999999Z',
  '2026-01-31T00:00:00.000000Z',
  '2026-01-31T00:00:00.000001Z',
  '2026-02-01T00:00:00Z',
]

const moment = (index: number): string => MOMENTS[index % MOMENTS.length] ?? ''

/** Writes transactions and investments with tied moments and amounts, as the ledger would. */
export const seed = async (product: Product, person: Person, count: number): Promise<void> => {
  const walletId = await walletOf(product, person)
  for (let index = 0; index < count; index += 1) {
    const type = (['deposit', 'withdrawal', 'investment'] as const)[index % 3]
    const isInvestment = type === 'investment'
    await product.database.superuser.query(
      `INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, destination_address,
         rate_basis_points, interest, duration_days, matures_at, investment_status, created_at, updated_at,
         sent_at, sent_by, sent_network, sent_evidence, completed_at, completed_by)
       SELECT $1, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
         CASE WHEN sent THEN $14::timestamptz END, CASE WHEN sent THEN staff END, CASE WHEN sent THEN 'Bitcoin' END, CASE WHEN sent THEN 'sent' END,
         CASE WHEN completed THEN $14::timestamptz END, CASE WHEN completed THEN staff END
       FROM (SELECT id AS staff, $3 = 'withdrawal' AND $5 IN ('PROCESSING', 'COMPLETED') AS sent,
         $3 = 'withdrawal' AND $5 = 'COMPLETED' AS completed FROM users WHERE id <> $2::uuid LIMIT 1) AS marks`,
      [
        newId(),
        person.id,
        type,
        1 + (index % 4),
        isInvestment ? 'COMPLETED' : transactionStatuses[Math.floor(index / 3) % 6],
        type === 'deposit' ? walletId : null,
        type === 'withdrawal' ? `Destination ${index % 2}` : '',
        ...(isInvestment
          ? [500, index % 5, 5, moment(index >> 2), index % 2 ? 'ACTIVE' : 'COMPLETED']
          : [null, null, null, null, null]),
        moment(index),
        moment(index >> 1),
      ],
    )
  }
}

const walletOf = async (product: Product, { id }: Person): Promise<string> => {
  const { rows: owned } = await product.database.superuser.query(
    'SELECT id FROM wallets WHERE owner_id = $1',
    [id],
  )
  if (owned[0]) return owned[0].id
  const [address = ''] = await wallets(product, 1)
  const { rows } = await product.database.superuser.query(
    'UPDATE wallets SET owner_id = $1 WHERE address = $2 RETURNING id',
    [id, address],
  )
  return rows[0].id
}

/** Fills every list with rows. Returns an admin who reads them and the investors. */
export const seedLists = async (
  product: Product,
): Promise<{ readonly admin: Person; readonly investors: Person[] }> => {
  const admin = await person(product, ['SUPER_ADMIN'])
  const investors = [await person(product), await person(product), await person(product)]
  for (const investor of investors) await seed(product, investor, 40)
  await wallets(product, 12)
  await passGuard(
    product.database.superuser,
    'wallets',
    `UPDATE wallets SET created_at = '2026-01-31', network_name = 'Solana' WHERE owner_id IS NULL`,
  )
  const names = ['Zoë', 'Álvaro', 'alba', 'Ana 100%', 'Ana_100', 'Émile', 'Émile', 'emil']
  await Promise.all(names.map((name) => named(product, name)))
  return { admin, investors }
}

const named = async (product: Product, name: string): Promise<void> => {
  const { id } = await person(product)
  await passGuard(
    product.database.superuser,
    'users',
    "UPDATE users SET first_name = $1, last_name = '', created_at = '2026-01-31' WHERE id = $2",
    [name, id],
  )
}
