// Made by web/protocol.py from the structs in Python; do not edit.

/** Each field that is there replaces the old one whole; only seats come by number and field. */
export type PartOf<T extends { readonly seats: readonly unknown[] }> = Partial<Omit<T, "seats">> & {
  readonly seats?: Record<string, Partial<T["seats"][number]>>;
};

export type Away = {
  readonly type: "away";
  readonly seat: number;
  readonly at: number;
};

export type Back = {
  readonly type: "back";
  readonly seat: number;
};

export type Best = {
  readonly place: number;
  readonly run: SoloRun;
  readonly table: string | null;
};

export type BoardEntry = {
  readonly game: string;
  readonly edition: string;
  readonly board: string;
  readonly tasks: readonly (BoardTask)[];
};

export type BoardTask = {
  readonly number: string;
  readonly side: number;
  readonly grade: number;
  readonly task: Task;
};

export type Bye = {
  readonly type: "bye";
  readonly retry_ms: number;
};

export type Calendar = {
  readonly today: string;
  readonly streak: number;
  readonly longest: number;
  readonly days: readonly (DayCount)[];
};

export type Call = {
  readonly type: "call";
};

export type Called = {
  readonly type: "called";
  readonly seat: number;
  readonly at: number;
};

export type CardsOptions = {
  readonly ready_s: number;
  readonly first_seat: number;
  readonly reveal: "deal" | "start";
  readonly edition: string;
  readonly takeover_s: number;
  readonly companion: boolean;
  readonly count_in_s: number;
  readonly auto_call: boolean;
  readonly checking: "at_call" | "live";
  readonly tie_ms: number;
  readonly round_s: number;
};

export type Claim = {
  readonly type: "claim";
  readonly cards: number | null;
};

export type ClockWrong = {
  readonly type: "clock_wrong";
  readonly by: number;
};

export type Closest = {
  readonly seats: readonly [number, number];
  readonly round: number;
  readonly by: number;
};

export type Counted = {
  readonly type: "counted";
  readonly seat: number;
  readonly cards: number;
};

export type CubesOptions = {
  readonly ready_s: number;
  readonly first_seat: number;
  readonly reveal: "deal" | "start";
  readonly edition: string;
  readonly takeover_s: number;
  readonly companion: boolean;
  readonly count_in_s: number;
  readonly side: 3 | 4;
  readonly hourglass_s: number;
  readonly auto_call: boolean;
  readonly end: "itself" | "pass";
  readonly scoring: "gems" | "ladder";
  readonly die: "off" | "on";
};

export type DailySolution = {
  readonly of: string;
  readonly edition: string;
  readonly task: Task;
  readonly solution: readonly (Placement)[] | null;
};

export type DayCount = {
  readonly day: string;
  readonly solved: number;
};

export type DayResult = {
  readonly day: string;
  readonly of: string;
  readonly run: SoloRun;
  readonly place: number;
  readonly people: number;
  readonly slower: number;
  readonly median: number;
  readonly histogram: Histogram;
  readonly calendar: Calendar;
};

export type Dealt = {
  readonly type: "dealt";
  readonly seat: number;
  readonly task: Task | null;
};

export type DeviceEntry = {
  readonly device: string;
  readonly label: string;
  readonly made: number;
  readonly seen: number;
  readonly here: boolean;
};

export type DiceOptions = {
  readonly ready_s: number;
  readonly first_seat: number;
  readonly reveal: "deal" | "start";
  readonly edition: string;
  readonly takeover_s: number;
  readonly companion: boolean;
  readonly count_in_s: number;
  readonly grab_s: number;
  readonly enter_s: number;
  readonly places: "competition" | "dense";
  readonly areas: 5 | 6;
};

export type Die = {
  readonly colour: "black" | "white";
  readonly face: string | number;
  readonly taken: number | null;
};

export type Dot = {
  readonly game: string;
  readonly grade: number;
  readonly difficulty: number;
  readonly took: number;
  readonly ended: number;
};

export type Due = {
  readonly type: "due";
  readonly until: number | null;
};

export type FastForwardAsked = {
  readonly type: "fast_forward_asked";
  readonly seat: number;
  readonly fast_forward: "skip" | "speed_up";
};

export type Fastest = {
  readonly seat: number;
  readonly round: number;
  readonly area: number | null;
  readonly took: number | null;
  readonly rounds: number;
  readonly task: Task;
  readonly laid: readonly (Placement)[];
};

export type Fault = {
  readonly type: "error";
  readonly why: string;
};

export type GameTally = {
  readonly game: string;
  readonly matches: number;
  readonly wins: number;
};

export type GemMoved = {
  readonly type: "gem_moved";
  readonly gem: "amber" | "emerald" | "ruby" | "sapphire";
  readonly source: number | "bag" | "display";
  readonly target: number | "bag" | "display";
};

export type Glass = {
  readonly turned: number;
  readonly ends: number;
};

export type GlassTurned = {
  readonly type: "glass_turned";
  readonly turned: number;
  readonly ends: number;
};

export type Grab = {
  readonly type: "grab";
  readonly die: number;
};

export type Grabbed = {
  readonly type: "grabbed";
  readonly seat: number;
  readonly die: number;
};

export type Hello = {
  readonly type: "hello";
  readonly token: string | null;
};

export type Hint = {
  readonly type: "hint";
};

export type Hinted = {
  readonly type: "hinted";
  readonly seat: number;
  readonly piece: number | null;
  readonly wrong: readonly (number)[];
  readonly again: boolean;
};

export type Histogram = {
  readonly start: number;
  readonly width: number;
  readonly counts: readonly (number)[];
  readonly mine: number;
};

export type Judged = {
  readonly type: "judged";
  readonly seat: number;
  readonly wrong: readonly (number)[];
};

export type Leave = {
  readonly type: "leave";
};

export type Left = {
  readonly type: "left";
  readonly seat: number;
};

export type Lift = {
  readonly type: "lift";
  readonly piece: number;
};

export type Lifted = {
  readonly type: "lifted";
  readonly seat: number;
  readonly piece: number;
};

export type Limited = {
  readonly type: "limited";
  readonly limit: number;
};

export type MatchClosed = {
  readonly type: "match_closed";
  readonly standing: readonly (readonly (number)[])[];
  readonly totals: readonly (number)[];
  readonly seed: string;
  readonly took: number | null;
};

export type MoveRefused = {
  readonly type: "refused";
  readonly n: number;
  readonly why: string;
  readonly code: string;
  readonly values: Record<string, unknown>;
};

export type OfDay = {
  readonly of: string;
  readonly tried: boolean;
  readonly run: SoloRun | null;
  readonly place: number | null;
  readonly people: number;
  readonly table: string | null;
};

export type Opened = {
  readonly type: "opened";
  readonly phase: "count" | "enter" | "gather" | "grab" | "over" | "play" | "ready" | "throw";
  readonly limit: number | null;
};

export type Opponent = {
  readonly name: string;
  readonly bot: string | null;
};

export type Options = {
  readonly ready_s: number;
  readonly first_seat: number;
  readonly reveal: "deal" | "start";
  readonly edition: string;
  readonly takeover_s: number;
  readonly companion: boolean;
  readonly count_in_s: number;
};

export type Own = {
  readonly kind: RunKind;
  readonly runs: readonly (RankingRow)[];
};

export type Pass = {
  readonly type: "pass";
};

export type Passed = {
  readonly type: "passed";
  readonly seat: number;
};

export type PastGame = {
  readonly game: string;
  readonly ended: number;
  readonly lasted: number | null;
  readonly table: string | null;
  readonly others: readonly (Opponent)[];
  readonly rounds: number;
  readonly points: number;
  readonly run: SoloRun | null;
  readonly best: boolean;
  readonly place: number | null;
  readonly people: number;
};

export type PastGames = {
  readonly games: readonly (PastGame)[];
  readonly next: string | null;
};

export type Ping = {
  readonly type: "ping";
  readonly at: number | number;
};

export type Place = {
  readonly type: "place";
  readonly piece: number;
  readonly turn: number;
  readonly at: readonly (number)[];
};

export type Placed = {
  readonly type: "placed";
  readonly seat: number;
  readonly piece: number;
  readonly turn: number;
  readonly at: readonly (number)[];
};

export type Placement = {
  readonly piece: number;
  readonly turn: number;
  readonly at: readonly (number)[];
};

export type Pong = {
  readonly type: "pong";
  readonly at: number | number;
  readonly now: number;
};

export type Profile = {
  readonly player: string;
  readonly name: string;
  readonly made: number;
  readonly matches: readonly (GameTally)[];
  readonly runs: number;
  readonly streak: number;
  readonly records: readonly (Best)[];
  readonly solves: readonly (Dot)[];
  readonly calendar: Calendar;
};

export type Ranking = {
  readonly kind: RunKind;
  readonly day: string;
  readonly since: "ever" | "week";
  readonly best: readonly (RankingRow)[];
  readonly mine: RankingRow | null;
};

export type RankingRow = {
  readonly place: number;
  readonly name: string;
  readonly mine: boolean;
  readonly solved: number;
  readonly rounds: number;
  readonly took: number | null;
  readonly ended: number;
  readonly table: string | null;
};

export type React = {
  readonly type: "react";
  readonly n: number;
  readonly what: "close" | "ha" | "heart" | "star" | "wow";
};

export type Reaction = {
  readonly type: "reaction";
  readonly seat: number;
  readonly what: "close" | "ha" | "heart" | "star" | "wow";
};

export type Readied = {
  readonly type: "readied";
  readonly seat: number;
};

export type Ready = {
  readonly type: "ready";
};

export type Resumed = {
  readonly type: "resumed";
  readonly until: number;
  readonly stood: number;
};

export type RoundClosed = {
  readonly type: "round_closed";
  readonly round: number;
};

export type RoundOpened = {
  readonly type: "round_opened";
  readonly round: number;
  readonly phase: "count" | "enter" | "gather" | "grab" | "over" | "play" | "ready" | "throw";
  readonly limit: number | null;
  readonly roller: number | null;
  readonly area: number | null;
  readonly playoff: boolean;
  readonly among: readonly (number)[] | null;
};

export type RoundResult = {
  readonly task: Task | null;
  readonly laid: readonly (Placement)[];
  readonly wrong: readonly (number)[];
  readonly called: number | null;
  readonly gems: readonly ("amber" | "emerald" | "ruby" | "sapphire")[];
  readonly points: number | null;
};

export type RunKind = {
  readonly of: string;
  readonly mode: string;
  readonly minutes: number | null;
  readonly tasks: number | null;
  readonly side: number | null;
  readonly die: string | null;
};

export type RunOutcome = {
  readonly run: SoloRun;
  readonly before: SoloRun | null;
  readonly record: boolean;
  readonly place: number | null;
  readonly place_of_week: number | null;
  readonly people: number;
  readonly name: string;
  readonly mine: boolean;
  readonly splits: readonly (Split)[];
  readonly timeline: Timeline | null;
};

export type Scored = {
  readonly type: "scored";
  readonly seat: number;
  readonly points: number;
};

export type Seat = {
  readonly name: string;
  readonly bot: string | null;
  readonly present: boolean;
  readonly gone: boolean;
  readonly ready: boolean;
  readonly passed: boolean;
  readonly stop: boolean;
  readonly task: Task | null;
  readonly laid: readonly (Placement)[];
  readonly called: number | null;
  readonly wrong: readonly (number)[];
  readonly gems: readonly ("amber" | "emerald" | "ruby" | "sapphire")[];
  readonly points: readonly (number)[];
  readonly away: number | null;
  readonly won: readonly ("amber" | "emerald" | "ruby" | "sapphire")[];
  readonly hints: number;
  readonly sheet: readonly (RoundResult)[];
  readonly cards: number | null;
  readonly told: readonly (Placement)[];
  readonly fast_forward: "skip" | "speed_up" | null;
};

export type SeatEntry = {
  readonly name: string;
  readonly bot: string | null;
  readonly present: boolean;
  readonly gone: boolean;
};

export type SetAside = {
  readonly type: "set_aside";
};

export type Skip = {
  readonly type: "skip";
};

export type SoloOptions = {
  readonly ready_s: number;
  readonly first_seat: number;
  readonly reveal: "deal" | "start";
  readonly edition: string;
  readonly takeover_s: number;
  readonly companion: boolean;
  readonly count_in_s: number;
  readonly of: "cards" | "cubes" | "dice" | "extreme";
  readonly side: 3 | 4;
  readonly die: "off" | "on";
  readonly mode: "clock" | "count" | "day" | "practice";
  readonly minutes: 5 | 10 | 20;
  readonly tasks: 5 | 6 | 10 | 20;
  readonly day: string;
  readonly board: string;
  readonly number: string;
  readonly grade: number;
  readonly scored: boolean;
  readonly ghost: string;
};

export type SoloRun = {
  readonly kind: RunKind;
  readonly day: string;
  readonly scored: boolean;
  readonly solved: number;
  readonly rounds: number;
  readonly took: number | null;
  readonly ended: number;
};

export type SpeedUp = {
  readonly type: "speed_up";
};

export type Split = {
  readonly took: number;
  readonly solved: boolean;
  readonly task: Task;
  readonly laid: readonly (Placement)[];
};

export type Started = {
  readonly type: "started";
  readonly at: number;
  readonly limit: number | null;
};

export type Stop = {
  readonly type: "stop";
};

export type Stopped = {
  readonly type: "stopped";
  readonly seat: number;
};

export type Summary = {
  readonly points: readonly (readonly (number)[])[];
  readonly fastest: Fastest | null;
  readonly closest: Closest | null;
  readonly took: number;
};

export type Table = {
  readonly game: string;
  readonly options: Options;
  readonly seats: readonly (Seat)[];
  readonly phase: "count" | "enter" | "gather" | "grab" | "over" | "play" | "ready" | "throw";
  readonly round: number;
  readonly area: number | null;
  readonly playoff: boolean;
  readonly roller: number | null;
  readonly until: number | null;
  readonly glass: Glass | null;
  readonly dice: readonly (Die)[];
  readonly display: readonly ("amber" | "emerald" | "ruby" | "sapphire")[];
  readonly bag: readonly ("amber" | "emerald" | "ruby" | "sapphire")[];
  readonly seed_hash: string;
  readonly seed: string | null;
  readonly last: readonly (RoundResult)[] | null;
  readonly limit: number | null;
  readonly began: number | null;
  readonly started: number | null;
  readonly standing: readonly (readonly (number)[])[] | null;
  readonly totals: readonly (number)[] | null;
  readonly took: number | null;
  readonly among: readonly (number)[] | null;
  readonly stood: number;
  readonly time_skipped: number;
  readonly clock_wrong: boolean;
};

export type TableEntry = {
  readonly table: string;
  readonly link: string;
  readonly game: string;
  readonly options: unknown;
  readonly phase: string;
  readonly public: boolean;
  readonly seats: readonly (SeatEntry)[];
  readonly host: number | null;
  readonly seat: number | null;
  readonly made: number;
  readonly next: string | null;
  readonly next_by: number | null;
  readonly rematch_of: string | null;
};

export type TableFacts = {
  readonly host: number | null;
  readonly voiced: readonly (number)[];
  readonly public: boolean;
  readonly muted: boolean;
  readonly next: string | null;
  readonly next_by: number | null;
  readonly rematch_of: string | null;
  readonly stand_ins: readonly (number)[];
  readonly only_bots: boolean;
  readonly speed: number;
};

export type TakeBack = {
  readonly type: "take_back";
};

export type TakenBack = {
  readonly type: "taken_back";
  readonly seat: number;
};

export type Task = {
  readonly pieces: readonly (string | null)[];
  readonly region: readonly (readonly (number)[])[] | null;
  readonly board: string;
  readonly number: string;
  readonly face: "down" | "hand" | "up";
};

export type TaskEntry = {
  readonly board: string;
  readonly number: string;
  readonly side: number | null;
  readonly grade: number;
  readonly difficulty: number;
};

export type Throw = {
  readonly type: "throw";
};

export type Thrown = {
  readonly type: "thrown";
  readonly values: readonly (string | number)[];
};

export type TimeSkipped = {
  readonly type: "time_skipped";
  readonly by: number;
};

export type Timeline = {
  readonly step_s: number;
  readonly steps: readonly ("back" | "stayed" | "thought")[];
  readonly taken_back: number;
};

export type Today = {
  readonly day: string;
  readonly now: number;
  readonly ends: number;
  readonly streak: number;
  readonly games: readonly (OfDay)[];
};

export type TurnBack = {
  readonly type: "turn_back";
};

export type Update = {
  readonly type: "update";
  readonly version: number;
  readonly now: number;
  readonly acked: number | null;
  readonly events: readonly (Readied | Dealt | Thrown | Opened | Started | GlassTurned | Placed | Lifted | Judged | Hinted | Called | Counted | TakenBack | Limited | Due | GemMoved | Grabbed | Passed | Stopped | Scored | RoundClosed | RoundOpened | MatchClosed | Left | Away | Back | FastForwardAsked | TimeSkipped | ClockWrong | Resumed)[];
  readonly table: PartOf<Table & TableFacts>;
};

export type Waiting = {
  readonly type: "error";
  readonly why: string;
  readonly code: string;
  readonly edition: string;
};

export type Welcome = {
  readonly type: "welcome";
  readonly version: number;
  readonly now: number;
  readonly seat: number | null;
  readonly table: Table & TableFacts;
};

export type Who = {
  readonly player: string;
  readonly name: string;
};

export type AnyEvent = Readied | Dealt | Thrown | Opened | Started | GlassTurned | Placed | Lifted | Judged | Hinted | Called | Counted | TakenBack | Limited | Due | GemMoved | Grabbed | Passed | Stopped | Scored | RoundClosed | RoundOpened | MatchClosed | Left | Away | Back | FastForwardAsked | TimeSkipped | ClockWrong | Resumed;

export type AnyMove = Ready | Place | Lift | Call | Throw | Grab | Pass | Stop | SetAside | Hint | Claim | TakeBack | TurnBack | Skip | SpeedUp | Leave;

/** In a second chance of these games the first who finishes ends the round. */
export const FIRST_ENDS: readonly string[] = ["extreme"];

/** What a gem is worth. */
export const GEM_VALUES: Readonly<Record<GemMoved["gem"], number>> = {"ruby":4,"sapphire":3,"emerald":2,"amber":1};
