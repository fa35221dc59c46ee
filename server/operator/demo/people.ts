import type { Random } from './random.ts'

const FIRST =
  'Amara Ana Anders Aisha Ben Bianca Carlos Chloe Daniel Diego Elena Emeka Emma Fatima Felix Grace Hana Hugo Ines Ivan Jade Jonas Julia Kai Karim Lara Leon Lina Lucas Maria Mateo Mei Milan Nadia Noah Nora Olga Omar Paula Priya Rafael Rosa Samir Sara Sofia Tariq Theo Valentina Yuki Zoe'.split(
    ' ',
  )
const LAST =
  'Adeyemi Almeida Andersson Bauer Becker Bennett Bianchi Castro Chen Costa Dahl Diallo Dubois Fischer Garcia Gupta Haddad Hansen Hoffmann Ibrahim Ivanova Jensen Kim Kowalski Kruger Larsen Lopez Mbeki Meyer Moreau Nakamura Nguyen Novak Okafor Olsen Patel Pereira Petrov Ramos Reyes Rossi Santos Sato Schmidt Silva Singh Tanaka Torres Weber Yilmaz'.split(
    ' ',
  )

export type Person = {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
}

const person = (firstName: string, lastName: string): Person => ({
  firstName,
  lastName,
  email: `${firstName}.${lastName}@example.com`.toLowerCase(),
})

/** Those who decide about deposits and withdrawals. */
export const admins: readonly Person[] = [person('Maya', 'Lindqvist'), person('David', 'Osei')]

/** The second of two super admins. The product makes the first. */
export const superAdmin: Person = person('Ruth', 'Abara')

/** Invents this many people with different names. */
export const inventPeople = (random: Random, count: number): readonly Person[] => {
  const people = new Map<string, Person>()
  while (people.size < count) {
    const someone = person(random.pick(FIRST), random.pick(LAST))
    people.set(someone.email, someone)
  }
  return [...people.values()]
}
