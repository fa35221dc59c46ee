import type { Request } from './request.ts'

const NO_LOAN = '00000000-0000-7000-8000-000000000000'
const of = (payload?: object) => (): Request => ({ params: { id: NO_LOAN }, payload })
const sent = { networkName: 'Bitcoin', evidence: 'ab'.repeat(32), disbursedOn: '2026-01-01' }
const paid = { amount: 1, valueOn: '2026-01-01', reference: 'R-1' }

/** Requests about loans that change nothing, with what staff get. */
export const loanCells = <Roles>(staff: (status: number) => Roles) => ({
  listBorrowers: { request: of(), roles: staff(200) },
  borrowerStory: { request: of(), roles: staff(404) },
  recordBorrower: { request: of({ name: 'x' }), roles: staff(400) },
  listLoans: { request: of(), roles: staff(200) },
  correctBorrower: { request: of({ name: 'x' }), roles: staff(400) },
  closeLoan: { request: of({ outcome: 'DECLINED', reason: 'No' }), roles: staff(404) },
  loanStory: { request: of(), roles: staff(404) },
  recordLoan: { request: of({ purpose: 'home' }), roles: staff(400) },
  askLoanApproval: { request: of({ reason: 'Vetted' }), roles: staff(404) },
  askDisbursement: { request: of(sent), roles: staff(404) },
  repayLoan: { request: of(paid), roles: staff(404) },
  askDefault: { request: of({ reason: 'Insolvent' }), roles: staff(404) },
  askRestructuring: { request: of({ reason: 'Illness' }), roles: staff(400) },
  askRecovery: { request: of(paid), roles: staff(404) },
  importLoanFile: {
    request: () => ({ params: { kind: 'loans' }, payload: { csv: 'x', dryRun: true } }),
    roles: staff(200),
  },
  exportLoanFile: { request: () => ({ params: { kind: 'loans' } }), roles: staff(200) },
  addCollateral: { request: of({ description: 'x' }), roles: staff(400) },
  withdrawCollateral: { request: of({ reason: 'Wrong' }), roles: staff(404) },
  addLoanDocument: { request: of({ title: 'x' }), roles: staff(400) },
  addBorrowerDocument: { request: of({ title: 'x' }), roles: staff(400) },
  withdrawDocument: { request: of({ reason: 'Wrong' }), roles: staff(404) },
  writeUpdate: { request: of({ text: 'x' }), roles: staff(404) },
  recountLoan: { request: of({ reason: 'One was reversed' }), roles: staff(404) },
  reverseRepayment: { request: of({ reason: 'Wrong' }), roles: staff(404) },
})

type Statuses<Roles> = Readonly<
  Record<'everybody' | 'staff' | 'superAdmins', (status: number) => Roles>
>

/** Requests about the whole loan book, public but for its stress, and for statements. */
export const poolCells = <Roles>({ everybody, staff, superAdmins }: Statuses<Roles>) => {
  const cell = (status: number, params?: Request['params']) => ({
    request: (): Request => ({ ...(params && { params }) }),
    roles: everybody(status),
    isPublic: true as const,
  })
  return {
    poolFigures: cell(200),
    poolBook: cell(200),
    listTapes: cell(200),
    readTape: cell(404, { day: '2026-01-01' }),
    listLiabilities: cell(200),
    readLiabilities: cell(404, { day: '2026-01-01' }),
    poolKeys: cell(200),
    // Everybody gets their own, also staff.
    listStatements: { request: (): Request => ({}), roles: everybody(200) },
    previewStatement: {
      request: (): Request => ({ params: { period: '2026' } }),
      roles: everybody(200),
    },
    readStatement: {
      request: (): Request => ({ params: { period: '2026', form: 'json' } }),
      roles: everybody(200),
    },
    readPoolStatement: {
      request: (): Request => ({ params: { period: '2026', form: 'csv' } }),
      roles: staff(200),
    },
    readProof: {
      request: (): Request => ({ params: { day: '2026-01-01' } }),
      roles: everybody(404),
    },
    readWindDown: { request: (): Request => ({}), roles: staff(200) },
    readStress: { request: (): Request => ({}), roles: superAdmins(200) },
  }
}
