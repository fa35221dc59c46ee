import { execFileSync } from 'node:child_process'

/** A user of the operating system, by number. */
export type Identity = { readonly uid: number; readonly gid: number }

/**
 * The system users of a product that is started as root: PostgreSQL refuses root, and the server
 * does without it. Neither can read the other's files.
 */
export const DATABASE_USER = 'postgres'
export const SERVER_USER = 'peer-lending-pool'

/**
 * A system user without a login, made when there is none. Only root can call this. Throws where the
 * user cannot be made.
 */
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
    // Another process may have made it meanwhile.
    const made = identityOf(name)
    if (made) return made
    throw new Error(`The system user ${name} does not exist and could not be made.`, { cause })
  }
  const made = identityOf(name)
  if (made) return made
  throw new Error(`The system user ${name} could not be made.`)
}

/** A system user that exists. */
export const identityOf = (name: string): Identity | undefined => {
  try {
    return { uid: idOf('-u', name), gid: idOf('-g', name) }
  } catch {
    return undefined
  }
}

const idOf = (option: '-u' | '-g', name: string): number =>
  Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
