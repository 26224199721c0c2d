"""expert: learned from all_rounder by cardlab train.

`cardlab train updown --players 4 --base 'all_rounder' --seed 1 --steps 4`; steps kept: 4, 2,680,688
decisions recorded.

On 10,000 fresh deals beside all_rounder its seats win together 42.7 (42.3–43.1) % with 1 of 4
seats, 65.7 (65.2–66.3) % with 2 of 4 seats, 78.9 (78.5–79.2) % with 3 of 4 seats (95 % intervals).
"""

from simcore.language import *
from strategies.learned import declared
from strategies.features.updown import (
    able_after,
    able_against,
    ahead_of_best,
    ahead_of_mean,
    beaters_after,
    beaters_of_able,
    best_chance_after,
    chance_of_card,
    chance_of_kept,
    change_itself,
    equal_after,
    equal_in_hand,
    equal_unseen,
    expected_after,
    expected_of_card,
    expected_of_kept,
    from_middle,
    is_able_card,
    is_leading,
    is_trump,
    kept_able,
    kept_trumps,
    leads_then,
    of_its_colour,
    plain_rank,
    second_chance_after,
    stake,
    stake_of_able,
    third_chance_after,
    tricks_left,
    trumps_after,
    turns_away,
    unseen_count,
    values_for_roll,
    wanted_by,
    worth_after,
    worth_of_able,
)


LEARNED = declared(
    base='all_rounder',
    players=4,
    features={
        "CHANGE": [
            (stake, "one of", 1, 7),
            (tricks_left, "whole", 5.997, 0.3168),
            (is_leading, "one of", 1, 1),
            (leads_then, "one of", 0, 1),
            (ahead_of_best, "whole", -1.059, 0.5783),
            (ahead_of_mean, "whole", -0.2284, 0.2426),
            (unseen_count, "whole", 17.99, 0.1056),
            (change_itself, "one of", 0, 5),
            (best_chance_after, "real", 0.3591, 3.143),
            (second_chance_after, "real", 0.1427, 4.479),
            (third_chance_after, "real", 0.04856, 8.262),
            (expected_after, "real", 0.39, 2.653),
            (worth_after, "whole", 7.139, 0.2004),
            (beaters_after, "whole", 3.537, 0.1947),
            (equal_after, "one of", 0, 4),
            (able_after, "whole", 1.649, 0.7171),
            (trumps_after, "one of", 0, 5),
            (able_against, "whole", 15.01, 0.1125),
            (values_for_roll, "whole", 0.8881, 0.4928),
        ],
        "CARD": [
            (stake, "one of", 1, 6),
            (tricks_left, "whole", 6.503, 0.3482),
            (is_leading, "one of", 0, 2),
            (leads_then, "one of", 0, 2),
            (ahead_of_best, "whole", -0.8544, 0.5952),
            (ahead_of_mean, "whole", 0.1765, 0.2483),
            (unseen_count, "whole", 19.51, 0.1161),
            (is_able_card, "one of", 0, 2),
            (is_trump, "one of", 0, 2),
            (worth_of_able, "whole", 2.819, 0.221),
            (beaters_of_able, "whole", 2.679, 0.1689),
            (equal_unseen, "one of", 0, 4),
            (chance_of_card, "real", 0.1246, 4.133),
            (expected_of_card, "real", 0.1355, 3.614),
            (stake_of_able, "one of", 0, 7),
            (kept_able, "whole", 1.811, 0.7435),
            (kept_trumps, "one of", 0, 5),
            (chance_of_kept, "real", 0.3919, 3.291),
            (expected_of_kept, "real", 0.4256, 2.746),
            (from_middle, "one of", 0, 6),
            (equal_in_hand, "one of", 1, 4),
            (wanted_by, "one of", 0, 4),
            (turns_away, "one of", 0, 4),
            (of_its_colour, "whole", 2.387, 0.8931),
            (plain_rank, "whole", 5.949, 0.3115),
        ],
    },
    weights={
        "CHANGE": """
4.69355e-05 9.45128e-06 1.20005e-05 J`HFkEexO$7Vkp$LE8-C-R{f=meFm)zWPoNk_SBKTL$m<bnWT)pc-`K9UCe0s`p>
cvg7*Qa0XQ-?7OiU^#btbg#7>nP~R-;Ni%~0W%!uZq34&<VMab4CiwaJ5%O&L(I~s@v;bk~AN4Z%F)3*Wp$!ZAckbQ-js`mc(dat
>Gt$=2i|z^(;Qj4&H2P*5h2Wd+7bPuWr8czhXT;MSjpA8A0f2r5)!;!d7ZU{Iy6s=+F5902+6)@sI1f_J2mtjG(EvN|q7qsF`%Z2
n&+sSs*Yv&hhFN+4RonXG%>z^Pj}*?Rf&%d1aTAFNt>cI9A@CmQYwQ6MMfNuVWb6b0qAN+*i^7@!>(rD5#>IhGeqihRV$J{n7Dxc
tQ?&*rEZDgNY1=m#ujctV`59UVZqiuzYUjbgi6fQ(!|gvG000;YF&ta{mI6@pckk=x(*UF|(jIQ-0089(SkGPU003MU`3wc_UgW>
NP3&3}1Q~$Yjt4#hUlkTW{rV0gu=)T1%m{!bjSlSYi}u|M2nay!)baoTupa;brydyufeZiuM)Lpw002$%uhGW`00000+!_J^pdH!
%VBhsDcJm_o004R`kK3g8_6I&4zYpL2Q1<=(NB+j#YaiYnl>DCm;P@~IYAqk|upm0$OuQW{m>RX{$Ja6RIx8jsd?ab(ZWGA^W*_J
h@(D}||KM@`I~H&jeeR<9gzp;I;_)pBUGiztjPpDU9p=mcBLRBfXaUae)ez|r?)Mo2=KJ3v`SEQWI0Iuki1rQ^O#%7o;Tj16oDtp
ao9v?8p%0?~Q4MMemh3nPxCHq16!k9YZqtnBF4qS2Bmu$!B=&*zo&nb9lI}PI#kN|irvxJde+Q#mWc8-&^a;QSmjOls6BAU)R_lN
_w8v)`wE%Sjl-HV0;1QS$lM##lINTix8}%FkUPko4Rs`?qCCM86`u$P-pcLHx8R_@?Ui}XOQwnkZZT`vQFdJ*_sv}Jk5e3HsNeI;
xTk)j;RsUKZjRRBqMFLP8{lXUn{T*2oYWfZOjrL^Sy#@vbX96_()$Gaqu?bNfDfJBD-1p!&W&P>&UnWJ{z9L~3RMH;xZUce^y4Zs
WcG-93$pa7l@()Vw<pLW)MG?sGkM0KuLIs%x?*efEhw=;_*YGbA7x$0bY%1CbQ3)g*m)8~n%@|_rJP!>4X&!3-1N*)Hjs>+1Z{tr
ARO7`7dE%T6ZxG4z;|P8ly6)i;AmZ8ev=_ey5BTHo)euAs83b4#I{6&$4*G-x((A1keelBprv9k~OA|8j$P!@i`2pAXs0%F-!}Mk
cEfHP!%KOacwe&a%feZWowcjxmp9{(PEckTy2ky@bF$iSyeiv%?Qwg>GPz8w*nD2iDe&V_Zz3;#lkPc<{ZV6TrAL$zTaP5fmr5F1
B)&Y73Fb@I_nES=>x%`Ol&<aEd3-E^&yz{33rvBd#cls{%Qyh2Gq4l%;5%(^})&r;ixcq+fu^PwsBkkejQWX0KR1K=y=m{$j|IW(
}?G!oxYx|P_h5uFKy9HSWGy%#2Viu6~<OHVJ0}?~>N*l4|gYNR}aLTj&Ne#E}8}d%|wjGV%x)M_T)$q0Vq2t!^g6xS2%m_gFtO?r
J*#yN0>H*sOgZyg>3-}=RA`1lo3hWQp-T8p>IP{_W4+Mq(TKZ@F{rnE>@baJmy!03X=Nsn(jQM8xssJhX=<rkm(CljdMe-5`^#bP
gR0WCw_52VNe*y3W;Q%KEisz32YYHd>JpMZ*di@Cb;pD>sixg)M6YSRa`37U}Lje8xl>K56jv-9|0wygA&IiH?F7h!M%?k+rLjJ<
ocL_BN;QXurgXX0EW%I-ls1TMEI28>1KHUis2l+t%q6sV)#PA&gLk)WbPb~8G)ai5mo%CMr2^~xDHw{4dlL5ybDC_tBQs<QW9xAB
o@8d-TDh(d^zUN0kVF#}9XyN!6))0dNs{Z#S$ostd=i?9j&HzKuRSN0VWesohjP2kLDF5~j^!Hl)M)d&*nhNUs(i+bW<o^`&+6h4
gFWDl>#~3!|F#L)GsTgP`1=uDFtp2X!=nxeHit;b(qzfYLY46$M*YYCnI{;YtFc+@{Y~)b!y#_G%h4Ov(S?n(pZUqY$RtF36eg6m
!WCCjuN&Q;_w*XBRa|yxq<>ocO#0W$1TlSj(JNNSfyakT^84=|MfanPN66v$=_#J);dldNvR@nFD4hot7UlVf~U>)1y>I0PRat|W
#mg@fR<;6z_D(;RON(HO@`}KhVyW^C`Y7ijT`~mR)`4fK=!2Cb<i5~y>6yQ+*F##FglJol=<MT%3<_+QSkk>o&z~W!iRQ}e~s~;r
%b^BuYaPpbhhv>&D6z9?i80lvcRSZKH<qB^TZVFM%&he%JtP5}sv?3t<k?BDQmjH4CDge*`h9;i<HTi1;`!YxRP6WIJfCmNd%>pn
Dq8s<ep%^Uny!bNxXYMrd69zU5`~h+qM&`2xRt`iL1p=cA;st!&`rj+{bOzr4TL<{=Ht{XyFZ>bu`P|$8DBSbyJol91tq}$99S1M
wnh-4KWe|4#bO8+cvFITCljGAE0q!dfHp=D-sPc02GX>WN)D`6BED7-q2GTIvN4){>xAFn|xf}QZ`1O0D*9M{m8V<nvO9DRlk`EC
fQ3YY7e(?qxRL&a*!tYlM6U2w?^W<m@hSGK#Mg?5j_W}XPhAr#p*7*R-HPJ>5i`3-&cLjAnR`=omw)@ZuycK%<-O~g64-Ti&!2`q
f005!)003Oy@b}X0T<sPAFWrnDG2@B~%^P$71p!G300000iwz#~UFJIbM*M;Z+y{R4pXVIe%>aPPFYa^RO$Gn}Px1f&_y!L#gcVE
}+!HD<T^IlWk{QSQ000^R&+z~N008j;x)E6zrSqNp)(utMDF8AN9r2z4BfYlz&iY9nqu5FZui~Zc%j4<-+XUJlaskcdnAr5@j@i-
ivjE))sPAUCP8#hb+wc%DAOipc!2ap~`R1<yEDT)VqS2f4z4*)#VBnGf$^e}V69eP=odJsk{rrjlY6w#DGX<*qe&^;CKl7{r8v1S
Ho&}BnKMZ;URs$OL{WIC|Zs_AHx&kus#sb^_Rss(4Q1z?(X$%zi^cv;~2nfXq*8G~aa_{jH9tbH7SN1siO!3zR?fzUWvJ|`?V)<m
x2+$Yl#t)yOP@<{BQswNz*8-ClA*gTmw1U&F8nGk?Zi4}Ug}E`Q#@nUdAl*>DW;?O1P5S;1G3%Hco9n*!vLJ%(DGs6SH$o%$k}}`
p&h2{ix$OUc5((i3QRGtYtPJ@)7WYsV>=3LJjP^hki0Cf#=o|tT
""",
        "CARD": """
4.0074e-05 9.64144e-06 7.18495e-06 66D$YmEbGfitJnLEBtZcg8fqba__t1Ncf=u=H?0U+x4yU=;=-P`Skkctk4Gwjogg1
+u#fPdIUE1c=KrD2n4De$>3SbaPjfsqV>!NCJ?d$JHWUAxA_;_ZzP5oIxRu}J_u{&?-~*KdFjmU<Ls&hu_WH<`u=<gaTO=^XWDQ8
93G)B&<|<_S`!c&O9);nln4R^L=L3~CDS1*v<_Za9P3o=;_8YuJM+)@=k(qAZorljgVMtI_bb@z*bhwY1^|2t{~D_7BICOL$1saS
0W0AYoGm~U%otYlb}*R~QxRANk>J$l;0tLIC_?xMc@|LAd-{j%l?&quMc}3_d<*~oYVxih7T4+FyyP_!o#m1x_UCQ#1oNOLU<6<Q
JOT_1zuv6Rx5ED7>=_^j-|I2b?i-pP1M8MZkog4#n;~KC|NnLFX$f`%?(7E+?DZo9IUf`o`R|SHY7l1NIUf5aDkcB`)eULr%>MuY
c?8MhIt^gmA~+xNIuTV1J_3N~Z1MmA`|*O{mCpD7_v?S%=IG7KWd2V4-ye1(s@s45((yJ54%b5&`1e^UOY#!`MgKehhSx|C@Bgv|
l`{U^2>Ey$y9AK#=k5XSTlhxnn&82?wb=0Ox92x3i2;1rDd5uf8ZvzDX#OGK7Y_ab4d}%7&i9?_c<}h`3I}%)`S<q?(*F_zN!@b;
5XR88)$BvifIa-=0ReTvMdw=a>h<^l2mi0f6vqMq%Nz>T(%pF7%=)qMarr9mC*U>Uso+!nhzo}bZUI=Ey4yti9vsR8)y7irkrcA)
(cKyAvIAxNvgdT-5hIuF76N7I)%UNs&CEo?P!sS4s?VqP81GpDCJ$-@F%>}rz$>godk8JaZ^U;6I<7CsaSc4!y$eGFqU2U7unP70
j|Rf`y_tjiStmf`kvJ&mO%1};uLVK%j5e_Y#MrmrKLMZ#WEj>?G8HPJ+d^O@eN1E+vH(mdi3t7%s0c3)_4CU)H3DiH5gfnTDGxXO
x!DQIcm8Ab&;)x+A>z^mYzfr`fd7Q@5<*x6M#-!i*Z}}7HuF6J{~Fx))A;}a)B4{2Ybjds4iT#llkL&<gb2LzebRgbFBYZ)`4?i}
bo%c0-~?LsEZ;>6TNL~Apv%v}@(juGyaMMTtL?_T^XX>#c@6v*a~qWQz!NAX<^w1TUoIWms^7Z}Owc?6lMz_szu>$C78jcJyy8dp
oB~7Uei87}L+tbgpb8oCrxzF5kME+<Ve(PlP9_`yE&O5ID(|=WmFPnP=Hb)qbrLBJaOvvxV*pdTrs^~pCkVapLJkeqeC#3Et^KSM
yXp-8vhNx8Oe2>Ix&Zmsi4<!ewaoDq84N)2qvNOEz7CPoQ6)PMKJA_VJ>p~(3)_tm#RuE<SKluUCDo=CC<LJV5cvQC2knM8YWH#S
Mf_j;V)%sA&8D2;Z1Gw8jQj)dW%z~gyxc$TJ^<y~kP)B%Z?T5plpSot@d0}Jvi^DU&GC;LjvIjDroJoR3-+(~>lZ%N4em83_z{II
VdMb#O!NWtGtv6}bp*oyB=)WEv<0dDFcE48*8I5xDfa0DX9XDLZVIaWmmy!p@cfbZV*{TA>-hWhh7vFWRrl@*I{(%7tRO@BXd6!R
1_34Zj|;U5XWZ`Y7ZTD9dkXy7RP!tf)Q_tTya3oK5b3=WYR7U0wg)g7K>`KdDfyfG_zCq2VFtz+ivoDr9sK+N@dSM53K%^14cg=<
x!8>e#6(;gw+O2Q@(G{Ho)uI8KMfh!1o9LX{`qO)eZi$1Yym?EvgqKi=JfI9P0&360{tWUk@FDu`~+#~Ir<g^obb2;!VEO=Eb{B^
@&pj~iYABdWb^q3A^wW?S@dbry#`GEI{-EMVfIk`1N*VoCjUzS$nl>ESKLSa4FylynfOQIP3Z#nd-_l9SqF6=0_Z;xHS}u#7zj52
Sp7H;f*$1lHvLuc;PA3CO$c`aLHCdX8Up?ILKoH5l<Zm<`p@*}w!{;_spu5-rrf6w<`!7wRqsgGOA0>yLg0`L-VYP?#Q+xy@Z(zv
a6lLuyYkZiI0zgAzVluAyW3F`@d5GY#|x`2NZwopTlI=Ko9S-_c>;0UbO#^*l>w~tV;WoB(-a5?o&CMywC&^))X``E&gj(+B?g@N
s{73Q<Nul_2>)v0`v<1?R_NIg4g)h3F8dW0Wf{;G|La-nXW9Jv+8N6Il;~L27XV2DqWgXId<rD|O!aC2>+MD81rJ&6S^%^i2pr$=
FWEEudH1}^p9<jouKJq$llW!cmK2-zu;6L?#p~+@)d-L8T>R1#br-%2{PP9`V*mj4()}*|ZWf&M#O>z{{Q76xQyts|U;mf;D<+uX
;r0{%6Zs|XMf95K;qJlgO$1^gr1$jh2o`hi&;pzCjSRp2J=*U0?%#q16!ho<2H}+e0`aRJjt-dh6zHEcP#vlbG72dO$@X;Y$@_lA
AHx*|4ByBL3E9N?`RmRTaQFE0cLnDQ?DvS-QX5?Z6acvHF%9AImmne;`VzL*wi5g#ltCX1Pw4*7a_J*4unp@4k`4Fp^ZQ5MRP^56
!w5AM_Vw5giV!yl?dX}`;{?kC@+(OyXYXheYcOvychA}<^dg-n_P_e#E8KPio&VJydeVX9GvXK*4-G{Aq}-+l<U2q0b`JmmSu&R3
$<|`&Z`q&!v<UzJx*5^-FjT$XDf}WWV<IpOSQF^;6Xpu)nIs+BhZ9yaCo;I^RuHJ`<LnL)i}yAU006TQ00000cJCMqC@5|+002}S
JmQiWt@!jKV+^Aj00000dEvJc002P-X#}E9cpbtQr1JVF!tOZ^002zm{2GDGNbWrP@D4N%e9)ZZQ3U<;zZMx7P5nLv-UP@3=KgI0
WB>09J|6E5Y6dOvhW+ycjpo$*78FYgvj->qRtaDLtoO~}H|PNH!}A0Fd;`4rpdz&!3jCbn+7n0--|ev+k>j-a#Pl&jS_qKi$=q!K
&HIeWM(lw5r}DEHJP(cGr1}BkdF%(oUGyvw4(9=YcngxsUE(Pt<<LLM%=*s=GX~f4=l$FbzT8$0EXm;};16rwaQOZ4CkW*PC-BGP
gzszyxl&Oui1ly%V&<vv68;(ih}31^!tW`)js&J5WgoKCyX)TvU)mtZ#@0>q=+`U$A0CwyvmZhq1?#NpO$-eS@c>ou@b}6IH|?nJ
_1u~6G3a2)SI->=@B5t=>FfUfbOLGAS{;<^&EF*U<{361P8V<tr6(o!M*qg|was7Fd<&}g@9TcvC+Zf}(fSqF-s<lWp3I*6as&ke
_vSV9t>j1p5gOt2Ngg%n6+6-lC=H|R+ajJxiwyt5<Mfg2=L^a8hx1nfVdK~d*zTU`z#ZQPZVOTefG3XfNdz+W&m1Y~rvZZbCIJ-B
FZNUee>ku6gb`f|qbg_T8}bnUlkCR*Py8DHzw0&nqa8p6;`bj8(HPVM{{j;j^y6y&&ke@rbp>$zqXJj!2<D>%s}|5S^7M!VA@s#6
)$1nyL;uDK)b<zwqXAX;J=?VSvluZ4j{ye#{r}zYO#|-*_vCQ&HQeqFLHgDVefJ##(;Il;+Z)33N&vk8MEl|FS>o2|HvHrLH2{VH
CHnpM?D3oqC=0>_iTwx$*y+Ocy!Tz^uKnBFbpGt?{|R63Cj~7Ck@nC7X$7Y2&iq~kd=I+SM(rm8DHS{W#{jSUCj#vAN)i1EV*&&H
i2l3nHu$s!zvZR_(cHWF9QF0^&iAzd4f~Vo)&_(H!vOUA`v1E0jNF&?00<Hq#|XUvKl;rJwfAHe2M6W`m-uV@V)JPISOw+gs`;z)
b^QkTD*Tc5#0O;qkoCF<D*3?r5Bx6uBKuwK|M-Ihf)Zr+=KwSQX$iOQK>N1*_6cq7aSw?C!Ti((PwJcQNFTWDTlzK!SryR(r}^pm
(Ft1X0|S@+9{j`f7yVlOtr3*|?*D23mj0^xK=(M=1nis(h2azyiVP$FLK~_3I?}=$XaUUeeglgy0}b}oy7giPKiYZ*QwRS5i4Oxh
WeK_u+WMahg8R_{7zT&v8u#b{)AMca@#M4r`s~^Gsp%;5#s&w<L<?r#L;<1?tM>Wfiu5+c;{MF-JphQ`eF|R}>j@RsP51@?oC56?
QQjQwk^Lv)WA9T1>g+-K)dZ&ZyzDpl#M%e!)%oJ`hX+RmHRI~;RT^ylO6*SrfcE6{01X}liNcos=>F#W3i*BOP3_DUwBl&+t=}=;
7xxYTz4r6>>DHn5$M3HKxZ?{1bq*O5b@#l`<L8~|bqBp3I=(|7Z1Rcexb~d@G!l;SoB16IP~BM0Q3Hd`eE$T~*wZK1EcqAwgW^~c
me*qI7#e)?(C=3T#0*6cVAEvtjNTB|d<oG2TMO&~U<7O)z6Z|VnC7DNzv>+KRrT@ry2;BHbnrayFY_n*W(YOpKJ-Zrm>I9%rUvf%
*b0>8_xv6HRsOaBp9W&$ffii=#~i)#WdDi<R{kvaWCw!EZ~VOV*ADytr2F;;_Z@BZ_v`2Q(h<Q1B>l<hnHJvr><uCG(<Tc4t1M*k
yZx*Ac>Y8sa_WEjX(&V!^Z}$Ci{U8y69_i&#PUER0qAKI&K+6f=JSpMArkxr{q;-c>GM(#=KZDxHS6~cGxokA(BDx3007Ak1q%)u
<RIKFFf(8a1rCwtNZT3m3pTgvSPrZMg6A{X(K_rdQUQ<?wEb)HPV4~5arvq9BnAxa@)vjQ(f>@%G!riDnhO39g94ZJ8`RzN?g88k
R}1+HO$j9XFE*zJ?e7lt+7M6vNAmsvWD3v#LKU$0#{5bnvF#)M$q9M?D;b9YYWRuUUiJR@Uiggu82ixrO$M3y5epIVUI~W&6z`Y=
6$l6buJcReegtR$Ir|#vVe;k&eDY%j6$;GoxBxI0HV(=3iq*LFM){cq1_!MGIPzlz_W0HYe&cTi!~o^@aSXcwx&Wu#YwA!4c>u)u
LgnK5zXXHxeg&=+1^%D_KpIgMC-ZLaXY&pDVFp(T?E+@<5(9MmrVa_}^am{dQ0QX`9sk?>0Qdpp=Lc5(9Q6zD78;}h2<;vM$^Lf%
;{a*{BlKweQvo^x&iX|3m;SE*_49ZO-2(6R{`Cp}>-3ok+x=JlH~_s4lmCnRZ3!^<T>nuVZ~q|xTKPm4yZAN$O8gTZ%nBqF%k{nx
i}P6ni890oefkXl2oX;gdmm;3Qty8Vw+46(V)Uc^@AO><{R!6t{RXJ>u>xWOspBdj*Zvpy>;K~a_#_eY821zX-3n0vc-*=L{rWQ$
>(I6n%lg<Ba~Zk&$^=a?`vgAnS^Gi@RpW3EYz{^VS`5+sS`}meW#wkww~u|giQ&YB-m=BIgxspZ{S5P>YRQb~N6+NsT+D&VoUwr9
Jh%aXnZw!e?B;Q>6pYN}LK7<T8P09Pk`kaKZ3ZJhR^K%0@y@j3rX70S<>fK-|9=DPt`b@!lkVT@`xwybl@EXP+rDwp+yWjQw88oG
2^B{W{RE%X>Gu
""",
    },
    record={'game': 'updown',
     'players': 4,
     'options': {},
     'base': 'all_rounder',
     'against': [],
     'seed': 1,
     'decisions': 2680688,
     'steps': [{'kept': True,
                'decisions': 1000000,
                'gain': [0.0354, 0.0324, 0.0385],
                'explained': {'CHANGE': 0.0399, 'CARD': 0.0304}},
               {'kept': True,
                'decisions': 1560224,
                'gain': [0.0731, 0.0706, 0.0756],
                'explained': {'CHANGE': 0.0445, 'CARD': 0.0327}},
               {'kept': True,
                'decisions': 2120448,
                'gain': [0.0142, 0.0119, 0.0166],
                'explained': {'CHANGE': 0.0463, 'CARD': 0.0325}},
               {'kept': True,
                'decisions': 2680688,
                'gain': [0.0187, 0.0164, 0.021],
                'explained': {'CHANGE': 0.0462, 'CARD': 0.0319}}],
     'beside': 'all_rounder',
     'deals': 10000,
     'strength': {'1 of 4 seats': [0.427, 0.4228, 0.4313],
                  '2 of 4 seats': [0.6574, 0.6516, 0.6631],
                  '3 of 4 seats': [0.7887, 0.7852, 0.7922]}},
)
