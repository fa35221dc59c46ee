import { exportOwnData } from '@pool/contract/ownData'
import { download } from './http/download.ts'

/** Everything kept about the user, as an archive. */
export const downloadOwnData = (
  otherwise: string,
  options: Pick<Parameters<typeof download>[1], 'signal' | 'onProgress'>,
): Promise<Blob> => download(exportOwnData, { ...options, texts: { otherwise } })
