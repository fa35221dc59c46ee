import {
  CONFIGURATION_ELEMENT,
  type Configuration,
  configurationMarks,
} from '@pool/contract/base/configuration'

/** The values for unreplaced marks, as on a plain file server. */
const defaults: Configuration = {
  apiHost: '',
  productName: 'Peer Lending Pool',
  supportEmail: '',
  supportPhone: '',
  operatorName: '',
  termsUrl: '',
  privacyUrl: '',
  fallbackDepositAddress: '',
  daySeconds: '86400',
  publicUrl: '',
  poolMode: 'sandbox',
  confirmAbove: '10000',
  lendPrincipal: '',
  chains: '',
  paidNetworks: '',
  plans: '',
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
  const read = (name: keyof Configuration): string => {
    const value = block[name]
    return typeof value === 'string' && value !== configurationMarks[name] ? value : defaults[name]
  }
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Configuration
}

/** True where a node of the operator follows the network, or any network without a name. */
export const isFollowed = (network: string): boolean => {
  const followed = configuration().chains
  return network === '' ? followed !== '' : followed.split(',').includes(network)
}

let read: Configuration | null = null

/**
 * The operator's configuration (docs/product.md 14.1). Prerendering gets the marks, browsers get
 * the values.
 */
export const configuration = (): Configuration => {
  if (typeof document === 'undefined') return configurationMarks
  read ??= readConfiguration()
  return read
}
