import { type PoolStatementForm, readPoolStatement } from '@pool/contract/reports/poolStatements'
import {
  listStatements,
  previewStatement,
  readStatement,
  type StatementForm,
  type StatementPreview,
  statementBalances,
  statementSums,
} from '@pool/contract/reports/statements'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { download } from '../http/download.ts'
import {
  asFlag,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

const readPeriod = record({ period: or(asText, ''), isComplete: asFlag })

/** Months and years of the user's statements, the newest first. */
export const useStatements = (otherwise: string) =>
  useQuery({
    queryKey: ['statements'],
    queryFn: async ({ signal }) =>
      list(readPeriod)((await call(listStatements, { signal, texts: { otherwise } })).data),
  })

const dollarsOf =
  <Name extends string>(names: readonly Name[]) =>
  (value: unknown): Readonly<Record<Name, number>> => {
    const of = asRecord(value)
    const read = names.map((name) => [name, Number(asText(of?.[name]) ?? 0)])
    return Object.fromEntries(read) as Record<Name, number>
  }

const readPreview = record({
  opening: dollarsOf(statementBalances),
  sums: dollarsOf(statementSums),
  closing: dollarsOf(statementBalances),
  lines: or(asNumber, 0),
} satisfies Shape<StatementPreview>)

/** The balances and sums of the caller's statement. */
export const usePreview = (period: string, otherwise: string) =>
  useQuery({
    queryKey: ['statements', period],
    queryFn: async ({ signal }) =>
      readPreview(
        (await call(previewStatement, { params: { period }, signal, texts: { otherwise } })).data,
      ),
  })

/** A statement with its signature, as an archive. */
export const downloadStatement = (
  params: { readonly period: string; readonly form: StatementForm },
  otherwise: string,
  options: Pick<Parameters<typeof download>[1], 'signal' | 'onProgress'>,
): Promise<Blob> => download(readStatement, { ...options, params, texts: { otherwise } })

/** A statement of the pool, for staff. */
export const downloadPoolStatement = (
  params: { readonly period: string; readonly form: PoolStatementForm },
  otherwise: string,
  options: Pick<Parameters<typeof download>[1], 'signal' | 'onProgress'>,
): Promise<Blob> => download(readPoolStatement, { ...options, params, texts: { otherwise } })
