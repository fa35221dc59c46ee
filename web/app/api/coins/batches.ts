/** Batches: payments that staff sign outside. Only staff make these calls. */
import type { Payload } from '@pool/contract/base/endpoint'
import {
  approveBatch,
  type Batch,
  type BatchAddress,
  type BatchFile,
  type BatchPlan,
  batchAddresses,
  batchFile,
  batchFormats,
  batchKinds,
  type ComparedBatch,
  comparedLines,
  compareSigned,
  giveUpBatch,
  type ListedBatch,
  listBatches,
  makeBatch,
  previewBatch,
  readBatch,
  sendSigned,
} from '@pool/contract/coins/batches'
import { batchStates } from '@pool/contract/coins/batchStates'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asRecord,
  asText,
  asTexts,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { invalidateMoney } from '../requests/transactions.ts'

export type AskedBatch = Payload<typeof makeBatch>

const KEY = 'batches'
/** The interval of the queries in milliseconds. Changes are told at once, too. */
const ASKED_EVERY = 30_000

const readListed = record({
  id: or(asText, ''),
  kind: oneOf(batchKinds),
  format: oneOf(batchFormats),
  state: oneOf(batchStates),
  network: or(asText, ''),
  coin: or(asText, ''),
  total: or(asText, ''),
  payouts: asNumber,
  madeAt: asMoment,
  madeBy: asText,
} satisfies Shape<ListedBatch>)
export type BatchRow = ReturnType<typeof readListed>

const shared = {
  kind: oneOf(batchKinds),
  format: oneOf(batchFormats),
  network: or(asText, ''),
  coin: or(asText, ''),
  rate: or(asText, ''),
  rateAt: asMoment,
  feeRate: asNumber,
  fee: asText,
  feeCoin: asText,
  feeDollars: asNumber,
  gas: asNumber,
  gasPrice: asText,
  change: asText,
  changeAddress: asText,
  inputs: asNumber,
  signer: asText,
  payer: asText,
  nonce: asNumber,
  safeHash: asText,
  total: or(asText, ''),
} satisfies Shape<BatchPlan>

const readPlan = record({
  ...shared,
  dollars: asNumber,
  needsSecond: asFlag,
  passedOver: or(asNumber, 0),
  payouts: list(
    record({
      withdrawalId: asText,
      loanId: asText,
      address: or(asText, ''),
      amount: or(asText, ''),
      dollars: asNumber,
    } satisfies Shape<BatchPlan['payouts'][number]>),
  ),
  leftOut: list(record({ withdrawalId: asText, loanId: asText, why: or(asText, '') })),
  unusable: record({
    imported: or(asNumber, 0),
    otherKeys: or(asNumber, 0),
    small: or(asNumber, 0),
    spent: or(asNumber, 0),
  } satisfies Shape<BatchPlan['unusable']>),
} satisfies Shape<BatchPlan>)
export type ShownPlan = ReturnType<typeof readPlan>

const readOne = record({
  ...shared,
  id: or(asText, ''),
  state: oneOf(batchStates),
  digest: or(asText, ''),
  madeAt: asMoment,
  madeById: asText,
  madeBy: asText,
  approvedAt: asMoment,
  approvedBy: asText,
  completedAt: asMoment,
  givenUpAt: asMoment,
  givenUpBy: asText,
  sentAt: asMoment,
  sentBy: asText,
  reason: asText,
  isAlive: asFlag,
  payouts: list(
    record({
      withdrawalId: asText,
      loanId: asText,
      address: or(asText, ''),
      amount: or(asText, ''),
      dollars: asNumber,
      userEmail: asText,
      borrower: asText,
      status: asText,
      evidence: asText,
    } satisfies Shape<Batch['payouts'][number]>),
  ),
} satisfies Shape<Batch>)
export type ShownBatch = ReturnType<typeof readOne>

const readAddress = record({
  network: or(asText, ''),
  address: or(asText, ''),
  kind: or(asText, ''),
} satisfies Shape<BatchAddress>)

/** The newest batches. */
export const useBatches = (otherwise: string) =>
  useQuery({
    queryKey: [KEY],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(readListed)((await call(listBatches, { signal, texts: { otherwise } })).data),
  })

/** One batch. */
export const useBatch = (id: string, otherwise: string) =>
  useQuery({
    queryKey: [KEY, id],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      readOne((await call(readBatch, { params: { id }, signal, texts: { otherwise } })).data),
  })

/** The addresses of the pool that pay batches or receive collected coins. */
export const useBatchAddresses = (otherwise: string) =>
  useQuery({
    queryKey: [KEY, 'addresses'],
    queryFn: async ({ signal }) =>
      list(readAddress)((await call(batchAddresses, { signal, texts: { otherwise } })).data),
  })

/** The batch that would be made. Writes nothing. */
export const usePreview = (otherwise: string) =>
  useMutation({
    mutationFn: async (payload: AskedBatch) => {
      requireIdentity()
      return readPlan((await call(previewBatch, { payload, texts: { otherwise } })).data)
    },
  })

const useStep = <Step, Result>(send: (step: Step) => Promise<Result>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(send),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [KEY] })
      await invalidateMoney(client)
    },
  })
}

/** Makes a batch, and returns its id. */
export const useMakeBatch = (otherwise: string) =>
  useStep(async (payload: AskedBatch) => {
    requireIdentity()
    const { data } = await call(makeBatch, { payload, texts: { otherwise } })
    return asText(asRecord(data)?.id) ?? ''
  })

export const useApproveBatch = (otherwise: string) =>
  useStep(async ({ id, digest }: { readonly id: string; readonly digest: string }) => {
    requireIdentity()
    await call(approveBatch, { params: { id }, payload: { digest }, texts: { otherwise } })
  })

const readComparison = record({
  transaction: or(asText, ''),
  isSame: asFlag,
  lines: list(
    record({
      what: oneOf(comparedLines),
      of: asText,
      expected: asText,
      found: asText,
    } satisfies Shape<ComparedBatch['lines'][number]>),
  ),
} satisfies Shape<ComparedBatch>)
export type ShownComparison = ReturnType<typeof readComparison>

type SignedFile = { readonly id: string; readonly text: string }

/** Compares a signed file with its batch. Writes nothing. */
export const useCompareSigned = (otherwise: string) =>
  useMutation({
    mutationFn: async ({ id, text }: SignedFile) => {
      requireIdentity()
      const sent = { params: { id }, payload: { text }, texts: { otherwise } }
      return readComparison((await call(compareSigned, sent)).data)
    },
  })

/** Sends the signed file of a batch by the node. */
export const useSendSigned = (otherwise: string) =>
  useStep(async ({ id, text }: SignedFile) => {
    requireIdentity()
    await call(sendSigned, { params: { id }, payload: { text }, texts: { otherwise } })
  })

export const useGiveUpBatch = (otherwise: string) =>
  useStep(async ({ id, reason }: { readonly id: string; readonly reason: string }) => {
    requireIdentity()
    await call(giveUpBatch, { params: { id }, payload: { reason }, texts: { otherwise } })
  })

const readFile = record({
  name: or(asText, 'batch'),
  text: or(asText, ''),
  digest: or(asText, ''),
} satisfies Shape<BatchFile>)

/** Reads the file of a batch, which is recorded. */
export const useBatchFile = (otherwise: string) =>
  useMutation({
    mutationFn: async (id: string) =>
      readFile((await call(batchFile, { params: { id }, texts: { otherwise } })).data),
  })

/** Why no batch can be made, the coins of it, and why each payment is left out. Null otherwise. */
export const batchProblem = (error: unknown) => {
  const details = error instanceof ApiError ? asRecord(error.details) : null
  const problem = asText(details?.problem)
  if (problem === null) return null
  return { problem, amount: asText(details?.amount), leftOut: asTexts(details?.leftOut) }
}
