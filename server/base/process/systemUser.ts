import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'

/** Numeric ids of an operating system user. */
export type Identity = { readonly uid: number; readonly gid: number }

/**
 * System users of a product that root starts. PostgreSQL refuses root, and the server avoids it.
 * Neither can read the other's files.
 */
export const DATABASE_USER = 'postgres'
export const SERVER_USER = 'peer-lending-pool'

/** Name of this process's user. Undefined for an id without one, as container platforms give. */
export const ownName = (): string | undefined => {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** Finds or makes a system user without a login, as root. Throws when the user cannot be made. */
export const systemUser = (name: string): Identity => {
  const known = identityOf(name)
  if (known) return known
  try {
    execFileSync('groupadd', ['--system', '--force', name])
    execFileSync('useradd', [
      '--system',
      '--gid',
      name,
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      name,
    ])
  } catch (cause) {
    // Another process may have made the user meanwhile.
    const made = identityOf(name)
    if (made) return made
    throw new Error(
      `The system user ${name} does not exist and could not be created. Create it by hand.`,
      { cause },
    )
  }
  const made = identityOf(name)
  if (made) return made
  throw new Error(`The system user ${name} could not be created. Create it by hand.`)
}

/** Ids of an existing system user, else undefined. */
export const identityOf = (name: string): Identity | undefined => {
  try {
    return { uid: idOf('-u', name), gid: idOf('-g', name) }
  } catch {
    return undefined
  }
}

const idOf = (option: '-u' | '-g', name: string): number =>
  Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
