/** English needs none: the server's own sentences are shown. */
import type { RefusalTexts } from '@pool/contract/base/refusals'

export const refusals: RefusalTexts | undefined = undefined
export const firstApproval: string | undefined = undefined
