import { closeAccount, exportOwnData } from '@pool/contract/reports/ownData'
import { useMutation } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { download } from '../http/download.ts'
import { useSubmit } from '../http/submit.ts'

/** Everything kept about the user, as an archive. */
export const downloadOwnData = (
  otherwise: string,
  options: Pick<Parameters<typeof download>[1], 'signal' | 'onProgress'>,
): Promise<Blob> => download(exportOwnData, { ...options, texts: { otherwise } })

/** Closes the user's account for good. */
export const useCloseAccount = (otherwise: string) =>
  useMutation({
    mutationFn: useSubmit((password: string) =>
      call(closeAccount, { payload: { password }, texts: { otherwise } }),
    ),
  })
