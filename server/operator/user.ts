import { type RoleType, roleTypes } from '@pool/contract/users'
import type { Database } from '../db/connection.ts'
import { listUsers } from '../users/queries.ts'
import { grantRole, revokeRole } from '../users/roles.ts'
import { print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run user -- list
  npm run user -- grant EMAIL ROLE     ROLE is ${roleTypes.join(', ')}
  npm run user -- revoke EMAIL ROLE`

const roleNamed = (name: string | undefined): RoleType => {
  const role = roleTypes.find((type) => type === name?.toUpperCase())
  if (!role) throw new UsageError(`'${name ?? ''}' is not a role.\n${usage}`)
  return role
}

const list = async ({ db }: Database): Promise<void> => {
  const { rows: users } = await listUsers(db, { sort: 'createdAt', order: 'desc' })
  for (const { username, detail, roles } of users) {
    print(`${username}  ${detail.firstName} ${detail.lastName}  ${roles.map(({ type }) => type).join(', ') || '(no role)'}`)
  }
  print(`${users.length} ${users.length === 1 ? 'user' : 'users'}`)
}

await runCommand(() => {
  const [verb, email, roleName] = process.argv.slice(2)
  if (verb === 'list') return list
  if (!email || (verb !== 'grant' && verb !== 'revoke')) throw new UsageError(usage)
  const role = roleNamed(roleName)
  return async ({ db }) => {
    await (verb === 'grant' ? grantRole : revokeRole)(db, email, role)
    print(verb === 'grant' ? `${email} now has the role ${role}.` : `${email} no longer has the role ${role}; their sessions have ended.`)
  }
})
