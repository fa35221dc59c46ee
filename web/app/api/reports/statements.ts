import { type PoolStatementForm, readPoolStatement } from '@pool/contract/reports/poolStatements'
import {
  listStatements,
  readStatement,
  type StatementForm,
} from '@pool/contract/reports/statements'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { download } from '../http/download.ts'
import { asFlag, asText, list, or, record } from '../http/reading.ts'

const readPeriod = record({ period: or(asText, ''), isComplete: asFlag })

/** Months and years of the user's statements, the newest first. */
export const useStatements = (otherwise: string) =>
  useQuery({
    queryKey: ['statements'],
    queryFn: async ({ signal }) =>
      list(readPeriod)((await call(listStatements, { signal, texts: { otherwise } })).data),
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
