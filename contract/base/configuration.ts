import { z } from 'zod'

/**
 * The operator's settings and the plans, in a JSON block of each page (docs/product.md 14.1).
 * `daySeconds` is an investment day. `fallbackDepositAddress` and `publicUrl` may be empty.
 */
export const configurationSchema = z.object({
  apiHost: z.string(),
  productName: z.string(),
  supportEmail: z.string(),
  supportPhone: z.string(),
  /** The company or person that runs the pool. */
  operatorName: z.string(),
  /** Links to the operator's terms and privacy notice. Empty without one. */
  termsUrl: z.string(),
  privacyUrl: z.string(),
  fallbackDepositAddress: z.string(),
  daySeconds: z.string(),
  publicUrl: z.string(),
  poolMode: z.string(),
  /** The dollars above which a decision asks once more. */
  confirmAbove: z.string(),
  /** Not empty where loans may be funded by investors' principal. */
  lendPrincipal: z.string(),
  /** `yes` where the operator named nodes of networks, else empty. */
  chains: z.string(),
  /** The coins and the chain of each network, as JSON (contract/chain/paidNetworks.ts). */
  paidNetworks: z.string(),
  /** The plans on offer, as JSON. */
  plans: z.string(),
})
export type Configuration = z.infer<typeof configurationSchema>

/** The id of the JSON block. */
export const CONFIGURATION_ELEMENT = 'configuration'

/**
 * The marks that prerendered pages hold; the server replaces each by its value. Plain ASCII words
 * survive every escaping.
 */
export const configurationMarks: Configuration = {
  apiHost: '__API_HOST__',
  productName: '__PRODUCT_NAME__',
  supportEmail: '__SUPPORT_EMAIL__',
  supportPhone: '__SUPPORT_PHONE__',
  operatorName: '__OPERATOR_NAME__',
  termsUrl: '__TERMS_URL__',
  privacyUrl: '__PRIVACY_URL__',
  fallbackDepositAddress: '__FALLBACK_DEPOSIT_ADDRESS__',
  daySeconds: '__DAY_SECONDS__',
  publicUrl: '__PUBLIC_URL__',
  poolMode: '__POOL_MODE__',
  confirmAbove: '__CONFIRM_ABOVE__',
  lendPrincipal: '__LEND_PRINCIPAL__',
  chains: '__CHAINS__',
  paidNetworks: '__PAID_NETWORKS__',
  plans: '__PLANS__',
}
