import {
  CONFIGURATION_ELEMENT,
  type Configuration,
  configurationMarks,
} from '@pool/contract/configuration'

/** What stands in where nobody replaced a mark: a plain file server, or the development server. */
const defaults: Configuration = {
  apiHost: '',
  productName: 'Peer Lending Pool',
  supportEmail: '',
  supportPhone: '',
  fallbackDepositAddress: '',
  daySeconds: '86400',
  publicUrl: '',
  poolMode: 'sandbox',
}

const names = Object.keys(configurationMarks) as readonly (keyof Configuration)[]

const readBlock = (): Partial<Configuration> => {
  try {
    return JSON.parse(
      document.getElementById(CONFIGURATION_ELEMENT)?.textContent ?? '{}',
    ) as Partial<Configuration>
  } catch {
    return {}
  }
}

const readConfiguration = (): Configuration => {
  const block = readBlock()
  const told = (name: keyof Configuration): string => {
    const value = block[name]
    return typeof value === 'string' && value !== configurationMarks[name] ? value : defaults[name]
  }
  return Object.fromEntries(names.map((name) => [name, told(name)])) as Configuration
}

let read: Configuration | null = null

/**
 * The operator's configuration (docs/product.md 14.1). While pages are prerendered these are marks,
 * for which the server puts the values in as it sends a page; in the browser they are the values,
 * read once.
 */
export const configuration = (): Configuration => {
  if (typeof document === 'undefined') return configurationMarks
  read ??= readConfiguration()
  return read
}
