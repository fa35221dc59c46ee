import { type Cents, cents } from '@pool/contract/base/money'
import { readConfig } from '../base/configuration/config.ts'
import { openKeys } from '../base/keys/keyFile.ts'
import { openLedger } from '../ledger/engine/ledger.ts'
import { repayLoan } from '../lending/loans/repay.ts'
import { dayFrom, lend, newBorrower } from './loans.ts'
import { connectTo } from './process.ts'
import { actAs, person } from './product.ts'

/** Cents that are due of the loan below: four weeks of $101.50. */
export const DUE = cents(406_00n)

/** Two admins who lend $1,200 and record repayments, beside a product in its own process. */
export const openDeskBeside = async (directory: { readonly dataDir: string }) => {
  const { db, pool, close } = connectTo(directory)
  const config = readConfig({ DATA_DIR: directory.dataDir })
  const context = { db, config, keys: openKeys(config), ledger: openLedger(pool) }
  const first = actAs(await person({ context }, ['ADMIN']))
  const second = actAs(await person({ context }, ['ADMIN']))
  return {
    /** Returns the loan's id. */
    lend: async (): Promise<string> => {
      const borrowerId = await newBorrower(context, first)
      return lend(context, borrowerId, { principal: cents(1_200_00n) }, [first, second])
    },
    repay: (loanId: string, amount: Cents) =>
      repayLoan(context, {
        loanId,
        amount,
        reference: `R-${amount}`,
        valueOn: dayFrom(0),
        by: first,
      }),
    close,
  }
}
