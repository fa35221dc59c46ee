/** Calls that one person does alone up to the limits of a day, and above them asks a second one. */
import { createHash } from 'node:crypto'
import type { Payload } from '@pool/contract/base/endpoint'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import type { LoanFileKind } from '@pool/contract/lending/loanFiles'
import type * as contract from '@pool/contract/lending/loans'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { WithLedger } from '../../http/context.ts'
import { importLoanFile } from '../../lending/loans/importFile.ts'
import { importRepayments } from '../../lending/loans/importRepayments.ts'
import { recountable } from '../../lending/loans/recount.ts'
import { repayLoan } from '../../lending/loans/repay.ts'
import { readRepayment, reverseRepayment } from '../../lending/loans/reverseRepayment.ts'
import { propose } from './ask.ts'
import { type LoanStep, loanOf, working } from './askForLoans.ts'
import { sameAsked } from './sameAsked.ts'

type RepaymentContext = MailContext & WithLedger

/** Runs an act of one person. Asks a second one where the ledger says that it takes two. */
export const aloneOrAsk = async <Done, Asked>(
  act: () => Promise<Done>,
  ask: () => Promise<Asked>,
): Promise<Done | Asked> => {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'takesTwo') return ask()
    throw error
  }
}

type Repaying = LoanStep & Pick<Parameters<typeof repayLoan>[1], 'idempotency'>

/** Throws as {@link repayLoan} does, and `loanNeedsTwo` without a second person. */
export const repayOrAsk = (
  context: RepaymentContext,
  { idempotency, ...asking }: Repaying,
  { amount, valueOn, reference, inFull }: Payload<typeof contract.repayLoan>,
) =>
  aloneOrAsk(
    async () => ({
      ...(await repayLoan(context, {
        loanId: asking.loanId,
        amount: centsFromDollars(amount),
        valueOn,
        reference,
        inFull,
        by: asking.by,
        idempotency,
      })),
      proposalId: null,
    }),
    () =>
      working(context, asking.by, async (work) => {
        const { loan, named } = await loanOf(work, asking)
        const { by, language } = asking
        const id = await sameAsked(
          work,
          by.id,
          {
            // The reference is what the second person compares.
            kind: 'REPAY_LOAN' as const,
            reason: reference,
            ...named,
            amount,
            valueOn,
            reference,
            ...(inFull && { inFull }),
          },
          language,
        )
        const { status } = loan
        return { repaymentId: null, principal: 0, interest: 0, status, proposalId: id }
      }),
  )

type Reversing = Omit<LoanStep, 'loanId'> & {
  readonly repaymentId: string
  readonly reason: string
}

/** Throws as {@link reverseRepayment} does, and `loanNeedsTwo` without a second person. */
export const reverseOrAsk = (
  context: RepaymentContext,
  { repaymentId, reason, ...asking }: Reversing,
) =>
  aloneOrAsk(
    async () => {
      await reverseRepayment(context, { repaymentId, reason, by: asking.by })
      return { proposalId: null }
    },
    () =>
      working(context, asking.by, async (work) => {
        const repayment = await readRepayment(work.transaction, repaymentId)
        const { loanId, amount, valueOn, reference } = repayment
        const { named } = await loanOf(work, { ...asking, loanId })
        const { by, language } = asking
        const id = await sameAsked(
          work,
          by.id,
          {
            kind: 'REVERSE_REPAYMENT' as const,
            reason,
            ...named,
            amount,
            repaymentId,
            valueOn,
            reference,
          },
          language,
        )
        return { proposalId: id }
      }),
  )

/**
 * Asks a second person to place later repayments anew. Throws `nothingToPlace`, `ownLoan` and
 * `loanNeedsTwo`.
 */
export const askRecount = (context: MailContext, asking: LoanStep, reason: string) =>
  working(context, asking.by, async (work) => {
    const { named } = await loanOf(work, asking)
    const later = await recountable(work.transaction, asking.loanId)
    const { by, language } = asking
    const asked = { kind: 'RECOUNT_LOAN' as const, reason, ...named, ...later }
    return { proposalId: await sameAsked(work, by.id, asked, language) }
  })

type Importing = { readonly csv: string; readonly dryRun: boolean }

/** Imports a file. One of repayments that one person may not record alone waits for a second. */
export const importOrAsk = async (
  context: RepaymentContext,
  { by, language }: Omit<LoanStep, 'loanId'>,
  { kind, csv, dryRun }: Importing & { readonly kind: LoanFileKind },
) => {
  if (kind !== 'repayments') {
    const imported = await importLoanFile(context, kind, { csv, dryRun, by })
    return { ...imported, takesTwo: false, proposalId: null }
  }
  const { amount, ...result } = await importRepayments(context, { csv, dryRun, by })
  if (dryRun || !result.takesTwo) return { ...result, proposalId: null }
  const proposalId = await working(context, by, async (work) => {
    const sha256 = createHash('sha256').update(csv).digest('hex')
    const { id } = await propose(
      work,
      { by: by.id, language },
      {
        kind: 'IMPORT_REPAYMENTS',
        reason: sha256,
        sha256,
        lines: result.lines - result.skipped,
        amount: dollarsFromCents(cents(amount)),
      },
    )
    await work.transaction.insertInto('repayment_files').values({ proposal_id: id, csv }).execute()
    return id
  })
  return { ...result, proposalId }
}
