//! Programs for the tests, from a seed: as models write them, cut, and mutated.

/// A xorshift generator: the same seed gives the same programs everywhere.
pub(crate) struct Random(u64);

/// A program with one call of `tools`, whose last member is its description.
pub(crate) struct Program {
    pub(crate) text: String,
    /// Of the description's text, in bytes, quotes not included.
    pub(crate) description: std::ops::Range<usize>,
}

impl Random {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % bound
    }

    pub(crate) fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }

    /// A place between two characters of `text`, its ends included.
    pub(crate) fn edge(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A complete program that parses as JavaScript in an async function.
    pub(crate) fn program(&mut self) -> Program {
        let mut text = String::new();
        for number in 0..self.below(4) {
            text.push_str(&self.pick(STATEMENTS).replace('#', &number.to_string()));
            text.push('\n');
        }
        text.push_str(self.pick(&["", "", "  ", "\t", "    "]));
        text.push_str(self.pick(BINDINGS));
        text.push_str("await tools.");
        text.push_str(self.pick(&["bash", "read_file", "$run", "search2"]));
        text.push_str("({\n");
        for number in 0..=self.below(3) {
            text.push_str(&self.pick(MEMBERS).replace('#', &number.to_string()));
            text.push_str(",\n");
            text.push_str(self.pick(&["", "", "  // a comment: \"quoted\", it's `fine`\n", "  /* await nothing */\n"]));
        }
        text.push_str(self.pick(&["  description: \"", "  \"description\": \"", "\tdescription : \""]));
        let start = text.len();
        for _ in 0..=self.below(4) {
            text.push_str(self.pick(WORDS));
        }
        let end = text.len();
        text.push_str(self.pick(&["\"\n});\n", "\",\n});\n", "\" });\n"]));
        for number in 5..5 + self.below(3) {
            text.push_str(&self.pick(STATEMENTS).replace('#', &number.to_string()));
            text.push('\n');
        }
        let mut program = Program { text, description: start..end };
        if self.below(4) == 0 {
            program = program.with_crlf();
        }
        program
    }

    /// `program` cut somewhere in its description, at times with blank lines after it.
    pub(crate) fn cut(&mut self, program: &Program) -> String {
        let description = &program.text[program.description.clone()];
        let at =
            program.description.start + if self.below(3) == 0 { self.edge(description) } else { description.len() };
        format!("{}{}", &program.text[..at], self.pick(&["", "", "", "\n", "\n\n  ", "\r\n", " \t"]))
    }

    /// `text` with a few pieces inserted, removed or cut off.
    pub(crate) fn mutate(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..=self.below(3) {
            let (one, other) = (self.edge(&text), self.edge(&text));
            let near = text[one..].char_indices().nth(1 + self.below(6)).map_or(text.len(), |(at, _)| one + at);
            match self.below(8) {
                0 => text.truncate(one),
                1 => text.replace_range(one.min(other)..one.max(other), ""),
                2 | 3 => text.replace_range(one..near, ""),
                4 => text.replace_range(one..near, self.pick(PIECES)),
                _ => text.insert_str(one, self.pick(PIECES)),
            }
        }
        text
    }

    /// Pieces in any order, and the beginning of a call after them.
    pub(crate) fn soup(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(12) {
            text.push_str(self.pick(PIECES));
        }
        if self.below(4) > 0 {
            text.push_str(self.pick(&[
                "const r = ",
                "\nconst { a, b: [c] } = ",
                ";",
                "\nlet [x] = ",
                "var q = ",
                "\n",
            ]));
            text.push_str("await tools.bash({ command: 'ls', description: \"");
            for _ in 0..=self.below(5) {
                text.push_str(if self.below(3) == 0 { self.pick(PIECES) } else { self.pick(WORDS) });
            }
        }
        text
    }
}

impl Program {
    fn with_crlf(self) -> Self {
        let before = self.text[..self.description.start].replace('\n', "\r\n");
        let text = self.text.replace('\n', "\r\n");
        // A description holds no line end.
        Self { description: before.len()..before.len() + self.description.len(), text }
    }
}

const BINDINGS: &[&str] = &[
    "",
    "const r1 = ",
    "let out = ",
    "var res = ",
    "const { stdout, code: [first, ...rest] } = ",
    "let [a, { b }] = ",
    "const\n  long = ",
];

const STATEMENTS: &[&str] = &[
    "// it's a comment with \"one quote and a ` tick",
    "/* a block: await tool.x({ \" ' ` } ${ */",
    "/** @param {string} x **/",
    "const s# = 'it\\'s \"quoted\" `ticks` // no comment';",
    "let d# = \"a \\\"b\\\" 'c' \\\\\";",
    "const t# = `one ${s(`two ${\"three\" + `four`} }`)} \\` \\${ $ {`;",
    "const t# = `a\n  b ${ { k: [1, 2] }.k.map((x) => { return `${x}`; }) } \"c`;",
    "function f#(x) { return [x, { y: 1 }]; }",
    "if (true) { console.log('日本語'); } else { console.log(\"🙂\"); }",
    "const g# = async (x) => ({ x, 'y z': [x] });",
    "for (const i of [1, 2, 3]) { console.log(i - 1, i > 2 && i <= 3); }",
    "const o# = { a: 1, \"b\": 'two', c: () => { return 3; } };",
    "console.log(1.5e3, 0xff, a?.b, a ?? b);",
    "",
    "   ",
];

const MEMBERS: &[&str] = &[
    "  command: \"ls -la | grep \\\"x\\\"\"",
    "  command#: 'echo \"hi\" && cat /etc/hosts'",
    "  command: `ssh host '\n  ls ${[\"a\", `b${1}`].join(\" \")}\n' | head -30`",
    "  paths: [\"a\", 'b', `c`]",
    "  options: { deep: { er: [1, { x: \"y\" }] }, n: null }",
    "  filter: (x) => { return x > 1; }",
    "  'quoted key': true",
    "  timeout: 30_000",
    "  retry#",
    "  ...base",
    "  [`computed${1}`]: -1",
];

const WORDS: &[&str] = &[
    "List recent errors",
    " and files",
    " 最近のエラー",
    " 🙂",
    "\\n",
    " \\\"quoted\\\"",
    "\\u00e9",
    "\\ud83d\\ude00",
    " 'single'",
    ", then more",
    " (see above)",
    " a: b",
    "  ",
    " C\\\\n",
];

const PIECES: &[&str] = &[
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    "\\\\",
    "\\\n",
    "\\\r\n",
    "\n",
    "\r\n",
    "\r",
    "\u{2028}",
    "\u{85}",
    "\u{feff}",
    "\u{1c}",
    "\t",
    " ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "${",
    "})",
    "} \n)",
    "});",
    ";",
    ",",
    ":",
    ".",
    "=",
    "=>",
    "==",
    "?",
    "/",
    "//",
    "/*",
    "*/",
    "/*/",
    "*",
    "<!--",
    "-->",
    "--",
    "<!-",
    "$",
    "a",
    "await",
    "await ",
    "await tools.",
    "await\n tools .",
    "tools",
    "tools.",
    "my.tools.x(",
    "const ",
    "let",
    "var x = ",
    "const {a} = ",
    "return ",
    "x = ",
    "description",
    "description: \"",
    "\"description\": \"",
    ", description: \"",
    ", dryRun: true",
    ", 日本: 1",
    ", काम: 1",
    ", कि:",
    ", ², :",
    ", a\u{1c}:",
    "}\u{1d})",
    "é",
    "日",
    "🙂",
    "1",
    "1e5",
    "\\x41",
    "\\u00e9",
    "\\u12",
    "\\ud800",
    "'x'",
    "\"y\"",
    "`z${",
    "`t`",
    "({",
    "await tools.bash({ command: 'x', description: \"List",
    "a, b",
    "!",
    "#",
    "@",
    "\0",
    "\u{1}",
    "\u{7f}",
];
