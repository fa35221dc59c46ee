import type { Role } from '@pool/contract/accounts/users'

/** The id of the rail, which the button _Menu_ opens on phones. */
export const RAIL = 'rail'

/** The first page of a role. The logo leads there. */
export const homeOf = (role: Role): string => (role === 'client' ? '/dashboard' : '/admin')
