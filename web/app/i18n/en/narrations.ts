/** The server speaks English: its own sentences stand. */
import type { RefusalTexts } from '@pool/contract/refusals'

export const refusals: Partial<RefusalTexts> = {}
export const firstApproval: string | undefined = undefined
