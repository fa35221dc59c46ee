import { z } from 'zod'

/**
 * What the web app is told at run time, in a JSON block of each page (docs/product.md 14.1).
 * `daySeconds` is the length of an investment day, in seconds. `fallbackDepositAddress` is the
 * operator's own Bitcoin address, or empty when there is none (docs/product.md 5.6); `publicUrl`
 * the origin that visitors know, or empty when the operator did not say, and then tags that need it
 * are left out. `poolMode` is `sandbox`, or `live`: then a deposit is confirmed only with the id of
 * its transaction on the chain.
 */
export const configurationSchema = z.object({
  apiHost: z.string(),
  productName: z.string(),
  supportEmail: z.string(),
  supportPhone: z.string(),
  fallbackDepositAddress: z.string(),
  daySeconds: z.string(),
  publicUrl: z.string(),
  poolMode: z.string(),
})
export type Configuration = z.infer<typeof configurationSchema>

/** The id of the JSON block. */
export const CONFIGURATION_ELEMENT = 'configuration'

/**
 * What prerendered pages hold in place of each value; the server puts the operator's value there as
 * it serves the page. The marks are plain ASCII words so that no escaping changes them on the way.
 */
export const configurationMarks: Configuration = {
  apiHost: '__API_HOST__',
  productName: '__PRODUCT_NAME__',
  supportEmail: '__SUPPORT_EMAIL__',
  supportPhone: '__SUPPORT_PHONE__',
  fallbackDepositAddress: '__FALLBACK_DEPOSIT_ADDRESS__',
  daySeconds: '__DAY_SECONDS__',
  publicUrl: '__PUBLIC_URL__',
  poolMode: '__POOL_MODE__',
}
