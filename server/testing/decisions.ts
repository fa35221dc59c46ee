import { expect } from 'vitest'
import { checkLedger } from '../ledger/check/check.ts'
import { checkAudit } from '../records/audit/check.ts'
import { checkRowsAgainstTrail } from '../records/audit/rowsAgainstTrail.ts'
import { sealAudit } from '../records/audit/seal.ts'
import type { Product } from './product.ts'

/** Ages decisions. Their triggers refuse changes, so they are lifted. */
export const letHoursPass = async (
  { database: { superuser } }: Product,
  hours: number,
): Promise<void> => {
  const passed = `interval '${hours} hours'`
  await superuser.query(`ALTER TABLE transactions DISABLE TRIGGER USER;
    UPDATE transactions SET updated_at = updated_at - ${passed}, created_at = created_at - ${passed},
      sent_at = sent_at - ${passed}, completed_at = completed_at - ${passed} WHERE ending IS NOT NULL;
    ALTER TABLE transactions ENABLE TRIGGER USER;
    SELECT recount_tallies()`)
}

/**
 * Expects a balanced ledger, matching causes and a valid audit trail. With `told`, also that the
 * entries explain the rows: tests write rows of other kinds past the product.
 */
export const expectWhole = async (product: Product, told?: RegExp): Promise<void> => {
  const { db } = product.context
  const { firstDifference, firstMismatch } = await checkLedger(db)
  await sealAudit(product.context)
  expect([firstDifference, firstMismatch, (await checkAudit(product.context)).firstBreak]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  if (told === undefined) return
  const { findings } = await checkRowsAgainstTrail(db)
  expect(findings.filter((finding) => told.test(finding))).toEqual([])
}
