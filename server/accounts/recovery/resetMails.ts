import { LINK_MINUTES } from '../links/links.ts'
import type { Limit } from '../throttle/counts.ts'

/**
 * Mails about a forgotten password to an address. Their span is the life of a link, so that an
 * address has an open link, or may be sent one.
 */
export const resetMailsTo = (address: string): Limit => ({
  counted: ['reset of', address],
  most: 3,
  span: `${LINK_MINUTES.RESET} minutes`,
})
