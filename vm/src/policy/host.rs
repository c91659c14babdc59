//! The host of an address.

/// Host in small letters and port of an address such as `https://user@Example.org:8080/v1`, or of a bare `example.org:8080`. `None` when it
/// has anything in it that readers of addresses disagree about.
pub fn host(address: &str) -> Option<(String, Option<String>)> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let (host, port) = match server.strip_prefix('[') {
        Some(bracketed) => {
            let (host, behind) = bracketed.split_once(']')?;
            (host, behind.strip_prefix(':'))
        }
        None => match server.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (server, None),
        },
    };
    let named =
        !host.is_empty() && host.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '.' | '-' | '_' | ':'));
    let numbered = port.is_none_or(|port| !port.is_empty() && port.chars().all(|one| one.is_ascii_digit()));
    (named && numbered).then(|| (host.to_ascii_lowercase(), port.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts_are_read_as_servers_are_asked() {
        let found = |address: &str| host(address).map(|(host, port)| format!("{host}|{}", port.unwrap_or_default()));
        for (address, wanted) in [
            ("https://Example.org/v1", Some("example.org|")),
            ("http://localhost:8080/v1?x#y", Some("localhost|8080")),
            ("localhost:8080", Some("localhost|8080")),
            ("http://good.org@evil.org/", Some("evil.org|")),
            ("http://[::1]:80/", Some("::1|80")),
            ("http://evil.org\\@good.org/", Some("good.org|")),
            ("http://evil.org\\.good.org/", None),
            ("http://a b/", None),
            ("http://a:b/", None),
            ("", None),
        ] {
            assert_eq!(found(address).as_deref(), wanted, "{address}");
        }
    }
}
