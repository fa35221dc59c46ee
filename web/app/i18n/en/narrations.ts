/** The server speaks English: its own sentences stand. */
import type { RefusalTexts } from '@pool/contract/refusals'

export const refusals: RefusalTexts | undefined = undefined
export const firstApproval: string | undefined = undefined
