use std::time::{Duration, Instant};

use crate::process::testing::{Folder, Killed, eventually, is_alive};
use crate::process::{
    Command, CommandError, Deadline, Exit, Finished, Interrupt, LookupError, Partial, ProcessError, run,
};

/// Far more than anything here takes, and less than the sleeps that must not be waited for.
const LONG: Duration = Duration::from_secs(120);

fn sh(script: &str) -> Command {
    Command::new(["sh", "-c", script])
}

fn python(script: &str) -> Command {
    Command::new(["python3", "-c", script])
}

fn finish(command: &Command) -> Finished {
    run(command, Deadline::after(LONG), &Interrupt::new().unwrap()).unwrap()
}

fn refuse(command: &Command) -> ProcessError {
    run(command, Deadline::after(LONG), &Interrupt::new().unwrap()).unwrap_err()
}

fn time_out(command: &Command, limit: Duration) -> Partial {
    let began = Instant::now();
    let error = run(command, Deadline::after(limit), &Interrupt::new().unwrap()).unwrap_err();
    assert!(began.elapsed() < LONG, "must not wait for the sleeps");
    assert_eq!(error.to_string(), format!("timed out after {} ms", limit.as_millis()));
    let ProcessError::TimedOut { partial, .. } = error else { panic!("{error}") };
    *partial
}

/// The numbers of processes that a script printed, one a line.
fn pids(text: &str) -> Vec<u32> {
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

#[test]
fn exit_status_and_both_streams() {
    let done = finish(&sh("echo out; echo err >&2; exit 3"));
    assert_eq!(done.status, Exit::Code(3));
    assert_eq!((done.stdout.text().as_str(), done.stderr.text().as_str()), ("out\n", "err\n"));
    assert_eq!(finish(&sh("kill -KILL $$")).status, Exit::Signal(9));
    assert_eq!(finish(&Command::new(["true"])).status, Exit::Code(0));
}

#[test]
fn a_timeout_ends_the_whole_group_and_keeps_the_output() {
    let partial = time_out(&sh("echo part; sleep 601 & echo $!; echo $$; sleep 601"), Duration::from_millis(1000));
    assert!(partial.stdout.text().starts_with("part\n"));
    let members = pids(&partial.stdout.text());
    assert_eq!(members.len(), 2);
    eventually("the group is gone", || !members.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn a_group_that_ignores_the_request_is_killed() {
    for script in [
        "trap '' TERM; sleep 602 & echo $!; echo $$; while :; do sleep 602; done",
        "(trap '' TERM; exec sleep 602) & echo $!; echo $$; exec sleep 602",
    ] {
        let partial = time_out(&sh(script), Duration::from_millis(300));
        let members = pids(&partial.stdout.text());
        assert_eq!(members.len(), 2);
        eventually("the group is gone", || !members.iter().any(|pid| is_alive(*pid)));
    }
}

#[test]
fn a_process_that_left_the_group_does_not_delay_a_timeout() {
    let partial = time_out(&sh("setsid sleep 603 & echo $!; sleep 603"), Duration::from_millis(500));
    let left: Vec<Killed> = pids(&partial.stdout.text()).into_iter().map(Killed).collect();
    assert_eq!(left.len(), 1);
    assert!(partial.elapsed < Duration::from_secs(60));
}

#[test]
fn a_stopped_program_times_out_too() {
    let partial = time_out(&sh("echo $$; kill -STOP $$; sleep 604"), Duration::from_millis(300));
    let members = pids(&partial.stdout.text());
    eventually("it is gone", || !is_alive(members[0]));
}

#[test]
fn a_program_may_clean_up_before_it_is_killed() {
    let partial = time_out(&sh("trap 'echo bye; exit 0' TERM; echo hi; sleep 605 & wait"), Duration::from_millis(500));
    assert_eq!(partial.stdout.text(), "hi\nbye\n");
}

#[test]
fn others_that_hold_the_outputs_do_not_delay_the_end() {
    for script in ["sleep 606 & echo $!", "setsid sleep 606 & echo $!", "yes >&2 & echo $!"] {
        let began = Instant::now();
        let done = finish(&sh(script));
        assert_eq!(done.status, Exit::Code(0));
        let left: Vec<Killed> = pids(&done.stdout.text()).into_iter().map(Killed).collect();
        assert_eq!(left.len(), 1);
        assert!(began.elapsed() < LONG);
    }
}

#[test]
fn what_others_write_just_after_the_end_is_heard() {
    assert_eq!(finish(&sh("(sleep 0.01; echo late) & echo early")).stdout.text(), "early\nlate\n");
}

#[test]
fn closed_outputs_are_not_the_end() {
    assert_eq!(finish(&sh("exec >&- 2>&-; sleep 0.2; exit 4")).status, Exit::Code(4));
}

#[test]
fn large_outputs_are_complete() {
    let done = finish(&python(
        "import os,sys\nfor fd,b in ((2,b'e'),(1,b'o')):\n d=b*10_000_000\n while d: d=d[os.write(fd,d):]\nos._exit(3)",
    ));
    assert_eq!(done.status, Exit::Code(3));
    for (captured, byte) in [(&done.stdout, b'o'), (&done.stderr, b'e')] {
        assert_eq!((captured.total, captured.truncated), (10_000_000, false));
        assert!(captured.bytes.len() == 10_000_000 && captured.bytes.iter().all(|b| *b == byte));
    }
}

#[test]
fn output_beyond_the_limit_is_counted_and_not_kept() {
    let command = Command { limit: 100_000, ..sh("yes | head -c 100000000") };
    let done = finish(&command);
    assert_eq!((done.stdout.total, done.stdout.truncated), (100_000_000, true));
    assert_eq!(done.stdout.bytes.len(), 100_000);
    assert!(done.stdout.bytes.capacity() < 1_000_000);
    let command = Command { limit: 3, ..Command::new(["printf", "aéé"]) };
    assert_eq!(finish(&command).stdout.text(), "aé");
    let command = Command { limit: 4, ..Command::new(["printf", "aéé"]) };
    assert_eq!(finish(&command).stdout.text(), "aé");
}

#[test]
fn output_that_is_no_text() {
    let done = finish(&Command::new(["printf", "\\377\\376caf\\351\\n"]));
    assert_eq!((done.status, done.stdout.text().as_str()), (Exit::Code(0), "\u{FFFD}\u{FFFD}caf\u{FFFD}\n"));
    let done = finish(&python("import os;os.write(1,b'x'+'é'.encode()*40000)"));
    assert_eq!(done.stdout.text(), format!("x{}", "é".repeat(40_000)));
    let done = finish(&sh("printf '\\000\\033[31m'; printf '\\377' >&2; exit 4"));
    assert_eq!((done.status, done.stdout.text().as_str()), (Exit::Code(4), "\0\x1b[31m"));
    assert_eq!(done.stderr.text(), "\u{FFFD}");
}

#[test]
fn input_is_written_while_output_is_read() {
    let data: Vec<u8> = (0..5_000_000_u32).map(|n| n.to_le_bytes()[0]).collect();
    let done = finish(&Command { stdin: Some(data.clone()), ..Command::new(["cat"]) });
    assert!(done.stdout.bytes == data);
    let done = finish(&Command { stdin: Some(Vec::new()), ..Command::new(["cat"]) });
    assert_eq!((done.status, done.stdout.total), (Exit::Code(0), 0));
}

#[test]
fn input_that_nobody_reads_is_no_fault() {
    for script in ["exit 5", "exec <&-; sleep 0.1; exit 5", "head -c 1 >/dev/null; exit 5"] {
        let done = finish(&Command { stdin: Some(vec![b'x'; 3_000_000]), ..sh(script) });
        assert_eq!(done.status, Exit::Code(5), "{script}");
    }
}

#[test]
fn without_input_there_is_none() {
    assert_eq!(finish(&Command::new(["readlink", "/proc/self/fd/0"])).stdout.text(), "/dev/null\n");
}

#[test]
fn only_the_three_descriptors_are_inherited() {
    let dir = Folder::new();
    let secret = dir.file("secret", "");
    let lock = rustix::io::dup(std::fs::File::open(&secret).unwrap()).unwrap();
    let listing = finish(&Command::new(["ls", "-l", "/proc/self/fd"])).stdout.text();
    drop(lock);
    assert!(!listing.contains("secret"), "{listing}");
    // The three, and the folder that `ls` itself reads.
    assert_eq!(listing.lines().filter(|line| line.contains("->")).count(), 4, "{listing}");
}

#[test]
fn signals_are_neither_blocked_nor_ignored() {
    let status = finish(&Command::new(["cat", "/proc/self/status"])).stdout.text();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap()
    };
    assert_eq!(field("SigBlk:"), 0);
    let pipe = 1 << (libc::SIGPIPE - 1);
    assert_eq!(field("SigIgn:") & pipe, 0);
}

#[test]
fn it_leads_a_group_of_its_own() {
    let text = finish(&sh("echo $$; ps -o pgid= -p $$ | tr -d ' '")).stdout.text();
    let numbers = pids(&text);
    assert_eq!(numbers[0], numbers[1]);
}

#[test]
fn variables_are_set_emptied_and_left_out() {
    let env = [("A", Some("no")), ("N", Some("1.10")), ("E", Some("")), ("HOME", None), ("A", Some("yes"))];
    let env = env.map(|(name, value)| (name.to_owned(), value.map(str::to_owned))).to_vec();
    let home = std::env::var_os("HOME");
    let done = finish(&Command { env, ..sh("echo $A/$N/${E-gone}/${HOME-gone}/${PATH:+kept}") });
    assert_eq!(done.stdout.text(), "yes/1.10//gone/kept\n");
    assert_eq!(std::env::var_os("HOME"), home);
}

#[test]
fn the_path_it_will_have_finds_it() {
    let dir = Folder::new();
    dir.script("bin/tool", "echo $0");
    let path = dir.path().join("bin").to_str().unwrap().to_owned();
    let given = Command { env: vec![("PATH".into(), Some(path.clone()))], ..Command::new(["tool"]) };
    assert_eq!(finish(&given).stdout.text(), format!("{path}/tool\n"));
    let relative = Command { cwd: Some(path.clone().into()), ..Command::new(["./tool"]) };
    assert_eq!(finish(&relative).status, Exit::Code(0));
    let outside = refuse(&Command::new(["tool"]));
    assert!(matches!(outside, ProcessError::Command(CommandError::Lookup(LookupError::NotFound { .. }))), "{outside}");
    let none = Command { env: vec![("PATH".into(), None)], ..Command::new(["true"]) };
    assert_eq!(finish(&none).status, Exit::Code(0));
}

#[test]
fn it_runs_in_its_folder_and_sees_its_name() {
    let dir = Folder::new();
    let done = finish(&Command { cwd: Some(dir.path().into()), ..Command::new(["pwd"]) });
    assert_eq!(done.stdout.text().trim_end(), dir.path().canonicalize().unwrap().to_str().unwrap());
    let name = finish(&python("print(open('/proc/self/cmdline').read().split(chr(0))[1])"));
    assert_eq!(name.stdout.text(), "-c\n");
    assert_eq!(finish(&Command::new(["sh", "-c", "echo $0"])).stdout.text(), "sh\n");
}

#[test]
fn what_cannot_be_run_is_explained() {
    let dir = Folder::new();
    let text = dir.file("plain.text", "echo no first line\n");
    let plain = dir.copy_program(&text, "plain");
    let text = dir.file("lost.text", "#!/nowhere/interpreter\n");
    let lost = dir.copy_program(&text, "lost");
    let error = refuse(&Command::new([plain.to_str().unwrap()])).to_string();
    assert!(error.contains("`#!` line"), "{error}");
    let error = refuse(&Command::new([lost.to_str().unwrap()])).to_string();
    assert!(error.contains("interpreter"), "{error}");
    let error = refuse(&Command::new(["FOO=1", "env"])).to_string();
    assert!(error.contains("is not a program"), "{error}");
    let long = "x".repeat(200_000);
    let error = refuse(&Command::new(["true".to_owned(), long])).to_string();
    assert!(error.contains("`stdin`"), "{error}");
}

#[test]
fn nothing_is_started_too_late() {
    let dir = Folder::new();
    let mark = Command { cwd: Some(dir.path().into()), ..sh("echo ran > mark") };
    let interrupt = Interrupt::new().unwrap();
    let late = run(&mark, Deadline::after(Duration::ZERO), &interrupt).unwrap_err();
    assert!(matches!(late, ProcessError::TimedOut { .. }));
    interrupt.raise(15);
    let stopped = run(&mark, Deadline::never(), &interrupt).unwrap_err();
    assert!(matches!(stopped, ProcessError::Interrupted { signal: 15, .. }));
    assert_eq!(dir.read("mark"), "");
}

#[test]
fn an_interrupt_ends_the_group() {
    let interrupt = Interrupt::new().unwrap();
    let other = interrupt.clone();
    let dir = Folder::new();
    let mark = dir.path().join("mark");
    let thread = std::thread::spawn(move || {
        eventually("it runs", || mark.exists());
        other.raise(2);
    });
    let command = Command { cwd: Some(dir.path().into()), ..sh("echo $$; : > mark; exec sleep 607") };
    let began = Instant::now();
    let error = run(&command, Deadline::never(), &interrupt).unwrap_err();
    thread.join().unwrap();
    assert!(began.elapsed() < LONG);
    assert!(error.to_string().starts_with("interrupted by signal 2"), "{error}");
    let ProcessError::Interrupted { partial, .. } = error else { panic!("{error}") };
    let members = pids(&partial.stdout.text());
    eventually("it is gone", || !is_alive(members[0]));
}

#[test]
fn a_wake_up_without_a_request_changes_nothing() {
    let interrupt = Interrupt::new().unwrap();
    let other = interrupt.clone();
    let thread = std::thread::spawn(move || {
        for _ in 0..200 {
            other.raise(0);
            other.clear();
        }
    });
    thread.join().unwrap();
    let done = run(&sh("sleep 0.1; echo done"), Deadline::after(LONG), &interrupt).unwrap();
    assert_eq!(done.stdout.text(), "done\n");
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    let threads: Vec<_> = (0..4)
        .map(|n| {
            std::thread::spawn(move || {
                for round in 0..25 {
                    let word = format!("{n}-{round}");
                    let done = finish(&Command { stdin: Some(word.clone().into()), ..Command::new(["cat"]) });
                    assert_eq!(done.stdout.text(), word);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}
